const STORY = /\bas an? [^,.;]{2,80},? i (?:want|need|can|would like|should be able)\b/i;

/** Labels in front of a story. */
export const STORY_LABEL = /^(?:user story|story|use case)\s*:\s*/i;

/** Id prefixes that are never used for goals, risks or people. */
export const STRONG =
  /^(?:N?FR|REQ|RQ|U[SC]|FEAT|BR|SR|STORY|Story|User Story|Use [Cc]ase|Req|Requirement|Feature)(?=[-_\d\s])/;

/** "As a …, I want …". */
export function isStory(text: string): boolean {
  return STORY.test(text.slice(0, 2000));
}

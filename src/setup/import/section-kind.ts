/** What a section is about, told from its title. */
export type SectionKind = "context" | "criteria" | "list" | "feature";

const NUMBERING = /^(?:(?:section|chapter|part)\s+)?(?:\d+(?:\.\d+)*|[ivxIVX]+|[A-Z])[.):]?\s+(?=\S)/;

const CONTEXT =
  /^(?:introduction|overview|background|(?:executive |product )?summary|abstract|purpose|vision|mission|(?:product |business |project )?(?:goals?|objectives?)(?: (?:and|&) .*)?|non-?goals?|out of scope|(?:in )?scope|glossary|definitions?|terminology|acronyms|(?:user )?personas?|(?:target )?(?:users?|audience|customers?|market)|stakeholders?|assumptions?(?: (?:and|&) .*)?|constraints?|dependencies|risks?(?: (?:and|&) .*)?|open (?:questions|issues)|questions|success (?:metrics|criteria)|(?:key )?metrics|kpis?|timeline|schedule|milestones?|(?:release )?(?:plan|roadmap)|rollout|appendix.*|annex.*|references|(?:revision|version|document|change) (?:history|control)|change ?log|(?:table of )?contents|related (?:documents|work)|context|problem(?: statement)?|motivation|(?:competitive|market) analysis|competitors?|budget|team|approvals?|sign-?offs?|document (?:information|status)|about(?: this document)?|future (?:work|considerations)|notes?|legal)$/i;

const CRITERIA =
  /^(?:acceptance(?: criteria| tests?)?|criteria|definition of done|done when|acs?|scenarios?|examples?|how to (?:test|verify)|verification|tests?)$/i;

const LIST =
  /(?:^|\b)(?:features?|requirements?|tasks?|to-?dos?|user stories|stories|backlog|deliverables|capabilities|use cases|must[- ]haves?|should[- ]haves?|could[- ]haves?|nice[- ]to[- ]haves?|phase \w+|sprint \w+|milestone \w+|mvp|epic|work items?|high priority|medium priority|low priority|action items|checklist|implementation(?: plan| steps)?|optional|future(?: enhancements)?|stretch goals?)\b/i;

/** A title without its chapter number. */
export function unnumbered(title: string): string {
  return title.replace(NUMBERING, "").trim();
}

export function sectionKind(title: string): SectionKind {
  const name = unnumbered(title);
  if (CRITERIA.test(name)) return "criteria";
  if (CONTEXT.test(name)) return "context";
  return LIST.test(name) ? "list" : "feature";
}

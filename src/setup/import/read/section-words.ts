/**
 * Usual titles for the parts of planning documents, in English: an agent reads any language. Lower case, without numbers,
 * pictograms and markup. A title of several parts ("Goals & Metrics") is looked up part by part.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s*[|\n]\s*/));

/** Exclusions. */
export const NEVER = words(`
nongoals|anti-goals|exclusions|excluded|wont have|will not do|not doing|what we are not doing|what we won't do|what it is not|explicitly excluded|rejected ideas|alternatives considered
glossary|definitions|definition|terminology|terms|acronyms|abbreviations|references|bibliography|links|resources
revision history|version history|document history|change history|change log|changelog|changes|history|version control|change control
table of contents|contents|toc|questions|faq|risks|risk|risk assessment|mitigations|mitigation
competitors|competition|competitive analysis|market analysis|budget|approvals|approval|sign-off|sign-offs|signoff
`);

/** Background. */
export const CONTEXT = words(`
introduction|intro|overview|project overview|product overview|system overview|background|summary|executive summary|product summary|project summary|abstract|tl;dr|tldr
purpose|vision|product vision|mission|motivation|rationale|context|problem|problem statement|the problem|opportunity|solution|proposed solution|value proposition|elevator pitch
goal|goals|objective|objectives|product goals|business goals|project goals|user goals|product objectives|business objectives|project objectives|hypothesis|business case
scope|in scope|in-scope|project scope|assumptions|constraints|dependencies|technical constraints|limitations
personas|persona|user personas|users|user|target users|target audience|audience|target market|customers|customer|market|stakeholders|actors|roles and responsibilities|players|who it is for|who is it for
success metrics|success criteria|success|metrics|key metrics|kpi|kpis|measures of success|okrs
timeline|schedule|milestones|milestone|plan|release plan|roadmap|rollout|rollout plan|release|launch plan|go-to-market|team|contacts
related documents|related work|about|about this document|document information|document status|document control|metadata|legal|notes|note|remarks|appendix
future work|future considerations|future|later|pillars|principles|design principles|guiding principles|philosophy
edge cases|key entities|entities|measurable outcomes|design|user interaction|ux|ui|ux design|ui design|look and feel|data model|data models|domain model|database schema
overall description|product perspective|product functions|product scope|user classes|user characteristics|operating environment|design constraints|implementation constraints|user documentation|document conventions|conventions|intended audience|reading suggestions|traceability|traceability matrix
tech stack|technology stack|technical stack|technologies|stack|architecture|technical architecture|system architecture|high-level architecture|project structure|file structure|folder structure|directory structure
user journey|user journeys|user flow|user flows|user research|wireframes|mockups|screenshots|description|priority|status|estimate|labels|owner
`);

/** Acceptance criteria. */
export const CRITERIA = words(`
acceptance criteria|acceptance|acceptance tests|acceptance test|criteria|definition of done|dod|done when|ac|acs|scenario|scenarios|example|examples|how to test|how to verify|verification|test|tests|test cases
`);

/**
 * Usual titles for the parts of planning documents, in their most common languages. Lower case, without numbers,
 * pictograms and markup. A title of several parts ("Goals & Metrics") is looked up part by part.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s*[|\n]\s*/));

/** Exclusions. */
export const NEVER = words(`
non-goals|non goals|nongoals|non-goal|anti-goals|out of scope|out-of-scope|not in scope|not included|exclusions|excluded
won't have|won’t have|wont have|won't haves|won't do|not now|will not do|not doing|what we are not doing|what we won't do|what it is not|explicitly excluded|rejected ideas|alternatives considered
glossary|definitions|definition|terminology|terms|acronyms|abbreviations|references|bibliography|links|resources
revision history|version history|document history|change history|change log|changelog|changes|history|version control|change control
table of contents|contents|toc|open questions|open issues|questions|faq|unresolved questions|risks|risk|risk assessment|mitigations|mitigation
competitors|competition|competitive analysis|market analysis|budget|approvals|approval|sign-off|sign-offs|signoff
nicht-ziele|nichtziele|nicht im umfang|außerhalb des umfangs|abgrenzung|abgrenzungskriterien|glossar|begriffe|risiken|offene fragen|offene punkte|änderungshistorie|inhalt|inhaltsverzeichnis|quellen
hors périmètre|hors du périmètre|non-objectifs|glossaire|risques|questions ouvertes|références
fuera de alcance|fuera del alcance|no objetivos|glosario|riesgos|preguntas abiertas|referencias
fora de escopo|fora do escopo|não objetivos|glossário|riscos|perguntas em aberto|referências
fuori ambito|non obiettivi|glossario|rischi|domande aperte|riferimenti
対象外|スコープ外|範囲外|非目標|用語|用語集|用語定義|リスク|未解決の課題|未決事項|参考資料|改訂履歴|変更履歴|目次
范围外|不在范围内|非目标|术语|术语表|风险|未决问题|参考资料|修订历史|目录
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
einleitung|einführung|überblick|übersicht|hintergrund|zusammenfassung|zweck|ziel|ziele|projektziele|vision|umfang|zielgruppe|zielgruppen|nutzer|personas|annahmen|rahmenbedingungen|abhängigkeiten|erfolgskriterien|erfolgsmessung|zeitplan|meilensteine|ausgangslage|problemstellung|hinweise|anhang|architektur|beteiligte|produkteinsatz|anwendungsbereich|anwendungsbereiche|betriebsbedingungen|produktübersicht|produktumgebung|ist-zustand|datenmodell
introduction|contexte|résumé|aperçu|présentation|objectif|objectifs|périmètre|utilisateurs|public cible|hypothèses|contraintes|dépendances|calendrier|jalons|annexe|problème|indicateurs de succès
introducción|contexto|resumen|descripción general|objetivo|objetivos|alcance|usuarios|público objetivo|supuestos|restricciones|dependencias|cronograma|hitos|anexo|métricas de éxito
introdução|resumo|visão geral|escopo|usuários|público-alvo|premissas|restrições|dependências|cronograma|marcos|métricas de sucesso|objetivos
introduzione|contesto|panoramica|sommario|obiettivo|obiettivi|ambito|utenti|ipotesi|vincoli|dipendenze|calendario
はじめに|概要|背景|目的|目標|ゴール|スコープ|範囲|対象範囲|対象ユーザー|ユーザー|ペルソナ|前提|前提条件|制約|制約条件|依存関係|成功指標|指標|スケジュール|マイルストーン|課題|備考|付録|アーキテクチャ|技術スタック
简介|概述|概览|背景|目的|目标|范围|用户|目标用户|假设|约束|依赖|成功指标|时间表|里程碑|问题|备注|附录|架构|技术栈
`);

/** Acceptance criteria. */
export const CRITERIA = words(`
acceptance criteria|acceptance|acceptance tests|acceptance test|criteria|definition of done|dod|done when|ac|acs|scenario|scenarios|example|examples|how to test|how to verify|verification|test|tests|test cases
akzeptanzkriterien|abnahmekriterien|beispiele|critères d'acceptation|critères d’acceptation|exemples|criterios de aceptación|ejemplos|critérios de aceite|critérios de aceitação|exemplos|criteri di accettazione|esempi
受け入れ基準|受入基準|受け入れ条件|受入条件|完了条件|シナリオ|验收标准|验收条件|示例
`);

/** Lists of work, in languages whose words the `\\b` of a regular expression does not find. */
export const LISTS =
  /anforderung|(?:muss|soll|wunsch|kann)-?kriterien|funktionen|funktionalität|aufgaben|muss-|soll-|kann-|lieferumfang|exigence|fonctionnalité|tâches|requisitos|funcionalidad|tareas|tarefas|requisiti|funzionalità|attività|要件|要求|機能|仕様|タスク|ユーザーストーリー|需求|功能|任务|用户故事/i;

import { expect, test } from "bun:test";
import { visibleLines } from "../../../src/core/text/markdown-lines.ts";

const visible = (text: string) => visibleLines(text).map(({ number, text: line }) => `${number} ${line}`);

test.each<[string, string, string[]]>([
  ["lines count from 1, whatever ends them", "a\r\nb\rc\nd", ["1 a", "2 b", "3 c", "4 d"]],
  ["a mark of byte order is no text", "\uFEFF# a", ["1 # a"]],
  ["a fence hides its lines and itself", "a\n```\nb\n```\nc", ["1 a", "5 c"]],
  ["a fence with a language hides too", "```ts\nb\n```\nc", ["4 c"]],
  ["a longer fence is not closed by a shorter one", "````\na\n```\nb\n````\nc", ["6 c"]],
  ["a fence is closed by one of its kind", "```\na\n~~~\nb\n```\nc", ["6 c"]],
  ["a fence is not closed by one with words behind it", "```\na\n``` b\nc\n```\nd", ["6 d"]],
  ["a fence that is never closed hides nothing", "```\na", ["1 ```", "2 a"]],
  ["a fence that only a shorter one follows hides nothing", "````\na\n```", ["1 ````", "2 a", "3 ```"]],
  ["backticks with more behind them are inline code", "```a``` b\nc\n```\nd\n```", ["1 ```a``` b", "2 c"]],
  ["two marks are no fence", "``\na\n``", ["1 ``", "2 a", "3 ``"]],
  ["a comment is cut out of its line", "a<!-- b -->c", ["1 ac"]],
  ["two comments are cut out of one line", "a<!-- b -->c<!-- d -->e", ["1 ace"]],
  ["a comment over lines leaves what stands around it", "a<!-- b\nc\nd -->e", ["1 a", "2 ", "3 e"]],
  ["one comment may begin where another ends", "a<!-- b\nc -->d<!-- e\nf -->g", ["1 a", "2 d", "3 g"]],
  ["a comment that is never closed hides nothing", "a<!-- b\nc", ["1 a<!-- b", "2 c"]],
  ["a fence in a comment is no fence", "<!--\n```\n-->\na", ["1 ", "2 ", "3 ", "4 a"]],
  ["a comment in inline code is text", "`<!-- a -->` b", ["1 `<!-- a -->` b"]],
  ["a comment after inline code is cut out", "`x`<!-- a --> b", ["1 `x` b"]],
  ["inline code ends at as many backticks as it began with", "``a ` <!-- b``c<!-- d -->", ["1 ``a ` <!-- b``c"]],
  ["a backtick that nothing closes begins no code", "` <!-- a --> b", ["1 `  b"]],
  ["a comment ends at its own end at the earliest", "<!-->a", ["1 a"]],
])("visibleLines: %s", (_, text, lines) => expect(visible(text)).toEqual(lines));

import assert from "node:assert/strict";
import test from "node:test";
import { slug } from "./slug.js";

test("lower case and dashes", () => assert.equal(slug("Hello, World"), "hello-world"));

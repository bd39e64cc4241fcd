import { expect, test } from 'vitest';
import { filesIn, textOf } from '../support/repository.ts';

/** Sources that another test covers, and why it does. */
const exceptions: Readonly<Record<string, string>> = {};

const sources = filesIn('src', '.ts').filter(hasLogic);
const tests = new Set(filesIn('test', '.test.ts'));

test('every source with logic has a test at its own place', () => {
  const missing = sources.filter((source) => !Object.hasOwn(exceptions, source) && !tests.has(testFor(source))).map(testFor);
  expect(missing).toEqual([]);
});

test('every exception is still one', () => {
  const needless = Object.keys(exceptions).filter((source) => !sources.includes(source) || tests.has(testFor(source)));
  expect(needless).toEqual([]);
});

function testFor(source: string): string {
  return source.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
}

/** Whether a file declares anything that is there when it runs; types alone, and the lists of what a room exports, do not. */
function hasLogic(source: string): boolean {
  return /^(export )?(async )?(const|function|class) /m.test(textOf(source));
}

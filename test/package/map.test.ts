import { expect, test } from 'vitest';
import { filesIn, textOf } from '../support/repository.ts';

/** Sources that another test covers, and why it does. */
const tables = 'data, which test/apiserver/patch/types/built-in.test.ts reads whole';
const exceptions: Readonly<Record<string, string>> = {
  'src/apiserver/patch/types/container.ts': tables,
  'src/apiserver/patch/types/core.ts': tables,
  'src/apiserver/patch/types/custom-resource-definition.ts': tables,
  'src/apiserver/patch/types/meta.ts': tables,
  'src/apiserver/patch/types/node.ts': tables,
  'src/apiserver/patch/types/pod.ts': tables,
  'src/apiserver/patch/types/type.ts': 'types and constants of them',
  'src/apiserver/patch/types/volume.ts': tables,
  'src/apiserver/patch/types/webhook.ts': tables,
  'src/apiserver/store/state.ts': 'the state that store.ts puts together; test/apiserver/store/store.test.ts',
};

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

import { expect, test } from 'vitest';
import { filesIn, textOf } from '../support/repository.ts';

/** Sources that another test covers, and why it does. */
const tables = 'data, which packages/apiserver/test/patch/types/built-in.test.ts reads whole';
const exceptions: Readonly<Record<string, string>> = {
  'packages/apiserver/src/patch/types/container.ts': tables,
  'packages/apiserver/src/patch/types/core.ts': tables,
  'packages/apiserver/src/patch/types/custom-resource-definition.ts': tables,
  'packages/apiserver/src/patch/types/meta.ts': tables,
  'packages/apiserver/src/patch/types/node.ts': tables,
  'packages/apiserver/src/patch/types/pod.ts': tables,
  'packages/apiserver/src/patch/types/type.ts': 'types and constants of them',
  'packages/apiserver/src/patch/types/volume.ts': tables,
  'packages/apiserver/src/patch/types/webhook.ts': tables,
  'packages/apiserver/src/http-server.ts': 'the routes put together; packages/apiserver/test/api-server.test.ts asks them',
  'packages/apiserver/src/load.ts': 'an error that packages/apiserver/test/load.test.ts looks at',
  'packages/apiserver/src/components.ts': 'the parts put together; packages/apiserver/test/api-server.test.ts uses them',
  'packages/apiserver/src/store/state.ts': 'the state that store.ts puts together; packages/apiserver/test/store/store.test.ts',
};

/**
 * Folders whose files are also, or only, tested through what they make together: what comes over the wire is what has to be right, and many of
 * their files are steps of it. The tests that do it.
 */
const throughTheFace: Readonly<Record<string, readonly string[]>> = {
  'packages/apiserver/src/admission/': inside('apiserver/admission', 'flows', 'functions', 'webhooks/call'),
  'packages/apiserver/src/cel/': [...inside('apiserver/cel', 'problems'), ...inside('apiserver/admission/webhooks', 'admission')],
  'packages/apiserver/src/custom-resources/': inside('apiserver/custom-resources', 'golden', 'controller/custom-resources', 'rules/rules'),
  'packages/apiserver/src/http/': inside('apiserver/http', 'routing', 'reads', 'writes', 'deletions'),
  'packages/apiserver/src/openapi/': inside('apiserver/openapi', 'routes', 'documents', 'protobuf'),
  'packages/apiserver/src/protobuf/': inside('apiserver/protobuf', 'index'),
  'packages/apiserver/src/server/': inside('apiserver/server', 'listen', 'answering', 'limits', 'operational'),
  'packages/cel/src/': inside(
    'cel/functions',
    'strings',
    'format',
    'lists',
    'sets',
    'optionals',
    'own-calls',
    'quantity',
    'url',
    'ip',
    'semver',
  ),
  'packages/cel/src/regexp/': inside('go/regexp', 'pattern'),
  'packages/overrides/src/': [
    ...inside('overrides', 'actions', 'admission', 'match', 'read'),
    ...inside('property', 'overrides', 'overrides-hold'),
  ],
  'packages/controllers/src/feed/': inside('runtime/feed', 'feed', 'truth'),
  'packages/controllers/src/kick/': inside('runtime/kick', 'kicker'),
};

function inside(folder: string, ...names: readonly string[]): readonly string[] {
  return names.map((name) => `test/${folder}/${name}.test.ts`);
}

const sources = filesIn('src', '.ts').filter(hasLogic);
const tests = new Set(filesIn('test', '.test.ts'));

test('every source with logic has a test at its own place', () => {
  const isExcepted = (source: string): boolean => Object.hasOwn(exceptions, source) || folderOf(source) !== undefined;
  const missing = sources.filter((source) => !isExcepted(source) && !tests.has(testFor(source))).map(testFor);
  expect(missing).toEqual([]);
});

test('every exception is still one', () => {
  const needless = Object.keys(exceptions).filter((source) => !sources.includes(source) || tests.has(testFor(source)));
  expect(needless).toEqual([]);
});

test.each(Object.entries(throughTheFace))('%s is tested through its face', (folder, through) => {
  expect(sources.some((source) => folderOf(source) === folder && !tests.has(testFor(source)))).toBe(true);
  expect(through.filter((path) => !tests.has(path))).toEqual([]);
});

const folderOf = (source: string): string | undefined => Object.keys(throughTheFace).find((folder) => source.startsWith(folder));

function testFor(source: string): string {
  return source.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
}

/** Whether a file declares anything that is there when it runs; types alone, and the lists of what a room exports, do not. */
function hasLogic(source: string): boolean {
  return /^(export )?(async )?(const|function|class) /m.test(textOf(source));
}

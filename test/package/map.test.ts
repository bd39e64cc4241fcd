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
  'src/apiserver/faces.ts': 'the routes put together; test/apiserver/api-server.test.ts asks them',
  'src/apiserver/load-error.ts': 'an error that test/apiserver/load.test.ts looks at',
  'src/apiserver/parts.ts': 'the parts put together; test/apiserver/api-server.test.ts uses them',
  'src/apiserver/store/state.ts': 'the state that store.ts puts together; test/apiserver/store/store.test.ts',
};

/**
 * Folders whose files are also, or only, tested through what they make together: what comes over the wire is what has to be right, and many of
 * their files are steps of it. The tests that do it.
 */
const throughTheFace: Readonly<Record<string, readonly string[]>> = {
  'src/apiserver/admission/': inside('apiserver/admission', 'flows', 'functions', 'webhooks/call'),
  'src/apiserver/cel/': [...inside('apiserver/cel', 'problems'), ...inside('apiserver/admission/webhooks', 'admission')],
  'src/apiserver/custom-resources/': inside('apiserver/custom-resources', 'golden', 'controller/custom-resources', 'rules/rules'),
  'src/apiserver/http/': inside('apiserver/http', 'routing', 'reads', 'writes', 'deletions'),
  'src/apiserver/openapi/': inside('apiserver/openapi', 'routes', 'documents', 'protobuf'),
  'src/apiserver/protobuf/': inside('apiserver/protobuf', 'index'),
  'src/apiserver/server/': inside('apiserver/server', 'listen', 'answering', 'limits', 'operational'),
  'src/cel/': inside('cel/functions', 'strings', 'format', 'lists', 'sets', 'optionals', 'own-calls', 'quantity', 'url', 'ip', 'semver'),
  'src/go/regexp/': inside('go/regexp', 'pattern'),
  'src/overrides/': [...inside('overrides', 'actions', 'admission', 'match', 'read'), ...inside('property', 'overrides', 'overrides-hold')],
  'src/runtime/feed/': inside('runtime/feed', 'feed', 'truth'),
  'src/runtime/kick/': inside('runtime/kick', 'kicker'),
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

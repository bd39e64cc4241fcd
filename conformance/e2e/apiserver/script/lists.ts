import { corePath, createNamespace, get, post, remove, type Topic } from '../compare/step.ts';
import { configMap, pod } from './objects.ts';

const NS = 'c-list';
const collection = corePath(NS, 'configmaps');
const nextPage = (limit: number, pageName: string, rest = ''): string =>
  `${collection}?limit=${limit}&continue={{${pageName}.metadata.continue}}${rest}`;

export const lists: Topic = {
  name: 'lists',
  steps: [
    createNamespace(NS),
    get(collection, { saveAs: 'empty' }),
    ...Array.from({ length: 7 }, (_, n) =>
      post(collection, configMap(`m${n}`, { n: String(n) }, { labels: { parity: n % 2 === 0 ? 'even' : 'odd' } }), { saveAs: `m${n}` }),
    ),
    // Pages, also with selectors.
    get(collection, { saveAs: 'whole' }),
    get(`${collection}?limit=3`, { saveAs: 'page1' }),
    get(nextPage(3, 'page1'), { saveAs: 'page2' }),
    get(nextPage(3, 'page2'), { saveAs: 'page3' }),
    get(`${collection}?limit=7`),
    get(`${collection}?limit=100`),
    get(`${collection}?limit=0`),
    get(`${collection}?limit=-1`),
    get(`${collection}?limit=x`),
    get(`${collection}?limit=2&labelSelector=parity%3Deven`, { saveAs: 'even1' }),
    get(nextPage(2, 'even1', '&labelSelector=parity%3Deven')),
    get(`${collection}?limit=1&fieldSelector=metadata.name%3Dm5`),
    // After writes, the next page still has the resourceVersion of the first page.
    post(collection, configMap('m1-between')),
    remove(`${collection}/m6`),
    get(nextPage(3, 'page1')),
    // Invalid continue tokens: not Base64, without a start, of version v2, and with a start outside of the resource.
    get(`${collection}?limit=3&continue=nonsense`),
    get(`${collection}?limit=3&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIifQ`),
    get(`${collection}?limit=3&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjIiLCJydiI6MSwic3RhcnQiOiJhIn0`),
    get(`${collection}?limit=3&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiIuLi8uLi8ifQ`),
    // A continue token excludes a resourceVersion.
    get(nextPage(3, 'page1', '&resourceVersion={{page1.metadata.resourceVersion}}')),
    get(nextPage(3, 'page1', '&resourceVersion=0')),
    get(nextPage(3, 'page1', '&resourceVersionMatch=Exact')),
    // The list without a version comes first: it waits until the real server's watch cache is up to date. Lists at version 0 do not wait.
    get(collection),
    get(`${collection}?resourceVersion=0`),
    get(`${collection}?resourceVersion=0&limit=2`),
    get(`${collection}?resourceVersion={{whole.metadata.resourceVersion}}`),
    get(`${collection}?resourceVersion={{whole.metadata.resourceVersion}}&resourceVersionMatch=Exact`),
    get(`${collection}?resourceVersion={{whole.metadata.resourceVersion}}&resourceVersionMatch=NotOlderThan`),
    get(`${collection}?resourceVersion={{m3.metadata.resourceVersion}}&resourceVersionMatch=Exact`),
    get(`${collection}?resourceVersion={{m3.metadata.resourceVersion}}&resourceVersionMatch=Exact&limit=2`, { saveAs: 'exact' }),
    get(nextPage(2, 'exact')),
    get(`${collection}?resourceVersion={{m3.metadata.resourceVersion}}&limit=2`),
    get(`${collection}?resourceVersion={{m3.metadata.resourceVersion}}&limit=2&resourceVersionMatch=NotOlderThan`),
    get(`${collection}?resourceVersion=99999999`),
    get(`${collection}?resourceVersion=99999999&resourceVersionMatch=Exact`),
    get(`${collection}?resourceVersion=0&resourceVersionMatch=Exact`),
    get(`${collection}?resourceVersionMatch=Exact`),
    get(`${collection}?resourceVersionMatch=NotOlderThan`),
    get(`${collection}?resourceVersion=1&resourceVersionMatch=Nearly`),
    get(`${collection}?resourceVersion=x`),
    get(`${collection}?resourceVersion=-5`),
    // Other parameters.
    get(`${collection}?sendInitialEvents=true`),
    get(`${collection}?timeoutSeconds=x`),
    get(`${collection}?timeoutSeconds=5`),
    get(`${collection}?watch=maybe`),
    get(`${collection}?allowWatchBookmarks=1`),
    get(`${collection}?unknown=parameter`),
    get(`${collection}/m0?resourceVersion=0`),
    get(`${collection}/m0?resourceVersion={{m0.metadata.resourceVersion}}`),
    get(`${collection}/m0?resourceVersion=99999999`),
    get(`${collection}/m0?resourceVersion=x`),
    get(`/api/v1/configmaps?fieldSelector=metadata.namespace%3D${NS}&limit=2`),
    get(`/api/v1/configmaps?fieldSelector=metadata.namespace%3D${NS},metadata.name%3Dm2`),
    // The order of names.
    post(corePath(NS, 'pods'), pod('b')),
    post(corePath(NS, 'pods'), pod('a.b')),
    post(corePath(NS, 'pods'), pod('a')),
    post(corePath(NS, 'pods'), pod('a-b')),
    get(corePath(NS, 'pods')),
    get(corePath('never-made', 'pods')),
  ],
};

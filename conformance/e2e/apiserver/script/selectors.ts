import { corePath, createNamespace, get, post, remove, type Topic } from '../compare/step.ts';
import { configMap } from './objects.ts';

const NS = 'c-sel';
const collection = corePath(NS, 'configmaps');

/** The labels of ConfigMaps m0 to m3. */
const LABELS: readonly object[] = [{ a: '1', b: 'x' }, { a: '2', b: 'y' }, { a: '3', 'example.com/c': '' }, {}];

/** Valid and invalid label selectors, before URL encoding. */
const LABEL_SELECTORS = [
  'a',
  '!a',
  'a=1',
  'a==1',
  'a!=1',
  'a in (1,2)',
  'a notin (1,2)',
  'a in (1, 2),b',
  'a in ()',
  'a>1',
  'a<3',
  'a>x',
  'a>1,a<3',
  'example.com/c',
  'example.com/c=',
  ' a = 1 ',
  'a=1,',
  ',a=1',
  ',',
  'a=1,,b=x',
  'a=',
  '=1',
  'a in',
  'a in 1',
  'a in (1',
  'a notin (,)',
  'a=b=c',
  'a b',
  '!a=1',
  '!',
  'a!',
  'a in (1),!b',
  'A/B/C',
  '-a',
  `a=${'x'.repeat(64)}`,
  'a=not/valid',
  'a=1 b=2',
  '(a)',
  'in in (in)',
  'a exists',
  'é=1',
] as const;

/** Valid and invalid field selectors, before URL encoding. */
const FIELD_SELECTORS = [
  'metadata.name=m0',
  'metadata.name==m0',
  'metadata.name!=m0',
  'metadata.name=m0,metadata.namespace=c-sel',
  'metadata.name=m0,metadata.name=m1',
  'metadata.namespace!=c-sel',
  'metadata.namespace=other',
  'metadata.name',
  'metadata.name=',
  'metadata.name in (m0)',
  'metadata.name=a\\,b',
  'metadata.name=a\\b',
  'metadata.name=a\\',
  'metadata.name=m0,',
  'metadata.uid=x',
  'metadata.labels.a=1',
  'data.n=0',
  '=x',
  ',',
  '!metadata.name',
  'metadata.name=a=b',
] as const;

export const selectors: Topic = {
  name: 'selectors',
  steps: [
    createNamespace(NS),
    ...LABELS.map((labels, n) => post(collection, configMap(`m${n}`, {}, { labels }))),
    ...LABEL_SELECTORS.map((selector) => get(`${collection}?labelSelector=${encodeURIComponent(selector)}`)),
    ...FIELD_SELECTORS.map((selector) => get(`${collection}?fieldSelector=${encodeURIComponent(selector)}`)),
    // A repeated parameter, two kinds of selectors, an empty selector, an invalid percent-encoding, and plus signs for spaces.
    get(`${collection}?labelSelector=a%3D1&labelSelector=a%3D2`),
    get(`${collection}?labelSelector=a%3D1&fieldSelector=metadata.name%3Dm0`),
    get(`${collection}?labelSelector=`),
    get(`${collection}?labelSelector=a%3D%zz`),
    get(`${collection}?labelSelector=a+in+(1)`),
    // Two invalid selectors, which must delete nothing, and a valid one.
    remove(`${collection}?labelSelector=%3D%3D`),
    remove(`${collection}?fieldSelector=nothing%3Dx`),
    remove(`${collection}?labelSelector=a%3D1`),
    get(collection),
  ],
};

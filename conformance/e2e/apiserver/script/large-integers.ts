import {
  apply,
  corePath,
  createNamespace,
  get,
  groupPath,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  type Step,
  strategicPatch,
  type Topic,
  watch,
  withAccept,
  withContentType,
} from '../compare/step.ts';
import { CUSTOM_GROUP, DEFINITIONS, definition, version } from './definitions.ts';

const NS = 'c-integers';
const INTEGERS = ['9007199254740991', '9007199254740993', '9223372036854775807', '-9223372036854775808'];
const BEYOND = ['9223372036854775808', '18446744073709551615', '-9223372036854775809', '1e400', '9007199254740993.0', '1e16'];
const INTEGER = { type: 'integer' };

const numbers = definition('numbers', 'Number', {
  versions: [
    version(
      {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: {
              n: INTEGER,
              narrow: { type: 'integer', format: 'int32' },
              wide: { type: 'integer', format: 'int64', minimum: -9007199254740992 },
              even: { type: 'integer', multipleOf: 2 },
              float: { type: 'number', maximum: 1e19 },
              either: { 'x-kubernetes-int-or-string': true },
              set: { type: 'array', items: INTEGER, 'x-kubernetes-list-type': 'set' },
              ruled: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self != 9007199254740993' }] },
            },
          },
        },
      },
      {
        additionalPrinterColumns: [
          { name: 'N', type: 'integer', jsonPath: '.spec.n' },
          { name: 'Text', type: 'string', jsonPath: '.spec.n' },
        ],
        selectableFields: [{ jsonPath: '.spec.n' }],
      },
    ),
  ],
});

const collection = groupPath(`${CUSTOM_GROUP}/v1`, NS, 'numbers');
/** A body as text, because JavaScript would round its integers. */
const body = (name: string, spec: string): string =>
  `{"apiVersion":"${CUSTOM_GROUP}/v1","kind":"Number","metadata":{"name":"${name}"},"spec":${spec}}`;
const one = `${collection}/one`;

const stepsWith = (integer: string): Step[] => [
  mergePatch(one, `{"spec":{"n":${integer},"unknown":{"a":[${integer}]}}}`),
  get(one),
  jsonPatch(one, `[{"op":"test","path":"/spec/n","value":${integer}},{"op":"replace","path":"/spec/wide","value":${integer}}]`),
  apply(`${one}?fieldManager=m&force=true`, body('one', `{"either":${integer}}`)),
  withContentType('application/yaml', post(`${collection}?dryRun=All`, `${body('two', `{n: ${integer}}`)}\n`)),
  mergePatch(one, `{"spec":{"narrow":${integer}}}`),
  mergePatch(one, `{"spec":{"even":${integer}}}`),
  mergePatch(one, `{"spec":{"float":${integer}}}`),
  mergePatch(one, `{"spec":{"ruled":${integer}}}`),
  mergePatch(one, `{"spec":{"set":[${integer},${integer}]}}`),
  withAccept('application/json;as=Table;g=meta.k8s.io;v=v1', get(one)),
  get(`${collection}?fieldSelector=spec.n%3D${integer}`),
];

const pod = (integer: string): string =>
  `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}],"terminationGracePeriodSeconds":${integer},` +
  `"tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":${integer}}]}}`;
const pods = corePath(NS, 'pods');

const podSteps = (integer: string): Step[] => [
  post(`${pods}?dryRun=All`, pod(integer)),
  withContentType('application/yaml', post(`${pods}?dryRun=All`, pod(integer))),
  withAccept('application/vnd.kubernetes.protobuf', post(`${pods}?dryRun=All`, pod(integer))),
];

export const largeIntegers: Topic = {
  name: 'large integers',
  steps: [
    createNamespace(NS),
    post(DEFINITIONS, numbers),
    get(collection, { until: ({ code }) => code === 200, view: () => undefined }),
    post(collection, body('one', '{"n":1,"wide":1}')),
    ...INTEGERS.flatMap(stepsWith),
    put(`${collection}/one?dryRun=All`, body('one', '{"n":9007199254740993}')),
    ...BEYOND.map((number) => mergePatch(`${one}?dryRun=All`, `{"spec":{"n":${number},"free":${number}}}`)),
    ...BEYOND.map((number) => post(`${collection}?dryRun=All`, body('three', `{"n":${number}}`))),
    watch(`${collection}?watch=1`, { events: 2 }, [mergePatch(one, '{"spec":{"n":9007199254740995}}')]),
    remove(one),
    ...[...INTEGERS, ...BEYOND].flatMap(podSteps),
    post(pods, pod('9007199254740993')),
    get(`${pods}/p`),
    strategicPatch(`${pods}/p`, '{"metadata":{"labels":{"a":"b"}}}'),
    strategicPatch(`${pods}/p/status`, '{"status":{"observedGeneration":9223372036854775807}}'),
    mergePatch(`${pods}/p/status`, '{"status":{"observedGeneration":9007199254740995}}'),
    apply(
      `${pods}/p/status?fieldManager=m&force=true`,
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"status":{"observedGeneration":9007199254740997}}',
    ),
    remove(`${pods}/p?gracePeriodSeconds=0`),
    remove(`${DEFINITIONS}/numbers.${CUSTOM_GROUP}`),
  ],
};

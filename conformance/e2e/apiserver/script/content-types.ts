import { corePath, createNamespace, get, post, put, type Topic, withAccept, withContentType } from '../compare/step.ts';
import { configMap } from './objects.ts';
import { protobufSteps } from './protobuf.ts';

const NS = 'c-types';
const collection = corePath(NS, 'configmaps');
const YAML = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  text: "1"\n  multi: |\n    two\n    lines\n';

/** Each has an error of a different kind. */
const invalidYaml: readonly string[] = [
  ...['data: {a: "1"\n', 'data: ["1"\n', 'data: "1\n', "data:\n  a: '1\n", 'data:\n\ta: "1"\n', 'data: @1\n', 'data:\n- a\n b: 1\n'],
  ...['data: "\\q"\n', 'data: "\\u12"\n', 'data: *a\n', 'data: &a {b: *a}\n', 'data: !!int x\n', 'data: !e!x y\n', 'data: !!binary x\n'],
  ...[
    'data: .inf\n',
    '~: a\n',
    '<<: a\n',
    '%YAML 1.2\n---\na: b\n',
    '%FOO\n---\na: b\n',
    'a: |0\n b\n',
    'a\n: b\n',
    '- a\nb\n',
    'a: \u0007\n',
  ],
];

export const contentTypes: Topic = {
  name: 'content types',
  steps: [
    createNamespace(NS),
    // YAML requests and answers, including errors and lists in YAML.
    withContentType('application/yaml', post(collection, YAML)),
    withAccept('application/yaml', get(`${collection}/yaml`)),
    withAccept('application/yaml', get(`${collection}/none`)),
    withAccept('application/yaml', get(collection)),
    withContentType('application/yaml', withAccept('application/yaml', put(`${collection}/yaml`, YAML.replace('"1"', '"2"')))),
    // YAML that is invalid, or that means a number, several documents, anchors, complex keys, a list, a string or JSON.
    withContentType('application/yaml', post(collection, YAML.replace('"1"', '1').replace('name: yaml', 'name: number'))),
    withContentType('application/yaml', post(collection, 'a: b: c')),
    withContentType('application/yaml', post(collection, '')),
    withContentType(
      'application/yaml',
      post(collection, `${YAML.replace('name: yaml', 'name: first')}---\n${YAML.replace('name: yaml', 'name: second')}`),
    ),
    withContentType(
      'application/yaml',
      post(collection, 'apiVersion: v1\nkind: ConfigMap\nmetadata: &m\n  name: anchors\n  labels: &l {a: b}\n  annotations: *l\n'),
    ),
    withContentType('application/yaml', post(collection, '? {complex: key}\n: value\n')),
    ...invalidYaml.map((text) => withContentType('application/yaml', post(collection, text))),
    withContentType('application/yaml', post(collection, '- list\n')),
    withContentType('application/yaml', post(collection, '"text"')),
    withContentType('application/yaml', post(collection, JSON.stringify(configMap('json-in-yaml')))),
    // Content types of requests.
    withContentType('application/json; charset=utf-8', post(collection, configMap('charset'))),
    withContentType('', post(collection, configMap('no-type'))),
    withContentType('text/plain', post(collection, configMap('text'))),
    withContentType('application/xml', post(collection, '<a/>')),
    withContentType('application/x-www-form-urlencoded', post(collection, 'a=b')),
    withContentType('not a type', post(collection, configMap('strange'))),
    withContentType('application/json;', post(collection, configMap('semicolon'))),
    withContentType('application/cbor', post(collection, 'x')),
    { method: 'POST', path: collection, body: configMap('untyped') },
    // Content types of answers.
    withAccept('*/*', get(`${collection}/yaml`)),
    withAccept('application/*', get(`${collection}/yaml`)),
    withAccept('text/html', get(`${collection}/yaml`)),
    withAccept('text/html,*/*;q=0.5', get(`${collection}/yaml`)),
    withAccept('application/json;q=0.1,application/yaml', get(`${collection}/yaml`)),
    withAccept('', get(`${collection}/yaml`)),
    withAccept('nonsense', get(`${collection}/yaml`)),
    withAccept('application/xml', get('/api/v1')),
    withAccept('application/yaml', get('/api', { view: (body) => ({ ...(body as object), serverAddressByClientCIDRs: undefined }) })),
    withAccept('application/xml', post(collection, configMap('not-acceptable'))),
    // Shows whether the request with an unacceptable answer was executed.
    get(`${collection}/not-acceptable`),
    get(`${collection}/yaml?pretty=true`),
    get(`${collection}/yaml?pretty=0`),
    ...protobufSteps(NS),
  ],
};

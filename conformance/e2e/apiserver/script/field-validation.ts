import {
  apply,
  corePath,
  createNamespace,
  jsonPatch,
  mergePatch,
  post,
  put,
  strategicPatch,
  type Topic,
  withContentType,
} from '../compare/step.ts';
import { configMap, pod, service } from './objects.ts';

const NS = 'c-fields';
const maps = corePath(NS, 'configmaps');
const withUnknownField = (name: string): object => ({ ...configMap(name, {}, { strange: 1 }), extra: { a: 1 } });
const DUPLICATES = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"NAME"},"data":{"a":"1","a":"2"},"data":{"b":"3"}}';

export const fieldValidation: Topic = {
  name: 'field validation',
  steps: [
    createNamespace(NS),
    // Unknown fields in each mode of fieldValidation.
    post(maps, withUnknownField('default')),
    post(`${maps}?fieldValidation=Strict`, withUnknownField('strict')),
    post(`${maps}?fieldValidation=Warn`, withUnknownField('warn')),
    post(`${maps}?fieldValidation=Ignore`, withUnknownField('ignore')),
    post(`${maps}?fieldValidation=Perhaps`, configMap('perhaps')),
    post(`${maps}?fieldValidation=`, withUnknownField('empty')),
    // Duplicate fields.
    post(maps, DUPLICATES.replace('NAME', 'twice')),
    post(`${maps}?fieldValidation=Strict`, DUPLICATES.replace('NAME', 'twice-strict')),
    post(`${maps}?fieldValidation=Warn`, DUPLICATES.replace('NAME', 'twice-warn')),
    post(`${maps}?fieldValidation=Ignore`, DUPLICATES.replace('NAME', 'twice-ignore')),
    withContentType(
      'application/yaml',
      post(`${maps}?fieldValidation=Strict`, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata: {a: b}\ndata: {c: d}\n'),
    ),
    withContentType(
      'application/yaml',
      post(`${maps}?fieldValidation=Warn`, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y2}\nextra: 1\ndata: {a: b}\n'),
    ),
    // Field names in another case are unknown.
    post(`${maps}?fieldValidation=Strict`, { ...configMap('case'), Data: { a: '1' } }),
    post(maps, { ...configMap('case'), Data: { a: '1' } }),
    post(
      `${corePath(NS, 'pods')}?fieldValidation=Strict`,
      pod('p', {
        containers: [{ name: 'a', image: 'i', ports: [{ containerPort: 1, hostport: 2 }], imagepullpolicy: 'x' }],
        nodename: 'n',
      }),
    ),
    post(`${corePath(NS, 'pods')}?fieldValidation=Warn`, pod('p', { nodename: 'n', volumes: [{ name: 'v', emptydir: {} }] })),
    post(`${corePath(NS, 'services')}?fieldValidation=Strict`, service('s', { ports: [{ port: 80, targetport: 1 }], clusterip: 'None' })),
    // Updates, patches and server-side apply.
    put(`${maps}/default?fieldValidation=Strict`, withUnknownField('default')),
    put(`${maps}/default?fieldValidation=Warn`, withUnknownField('default')),
    mergePatch(`${maps}/default?fieldValidation=Strict`, { extra: 1 }),
    mergePatch(`${maps}/default?fieldValidation=Warn`, { extra: 1, metadata: { strange: 2 } }),
    mergePatch(`${maps}/default?fieldValidation=Ignore`, { extra: 1 }),
    mergePatch(`${maps}/default?fieldValidation=Strict`, '{"data":{"a":"1","a":"2"}}'),
    mergePatch(`${maps}/default?fieldValidation=Warn`, '{"data":{"a":"1","a":"2"}}'),
    strategicPatch(`${maps}/default?fieldValidation=Strict`, { extra: 1 }),
    strategicPatch(`${maps}/default?fieldValidation=Warn`, { metadata: { strange: 2 } }),
    strategicPatch(`${maps}/default?fieldValidation=Strict`, '{"data":{"a":"1","a":"2"}}'),
    jsonPatch(`${maps}/default?fieldValidation=Strict`, [{ op: 'add', path: '/extra', value: 1 }]),
    jsonPatch(`${maps}/default?fieldValidation=Warn`, [{ op: 'add', path: '/extra', value: 1, more: 2 }]),
    jsonPatch(`${maps}/default?fieldValidation=Strict`, [{ op: 'add', path: '/data', value: {}, more: 2 }]),
    apply(`${maps}/default?fieldManager=a&fieldValidation=Warn`, { ...configMap('default'), extra: 1 }),
    apply(`${maps}/default?fieldManager=a&fieldValidation=Ignore`, configMap('default', {}, { strange: 1 })),
    apply(
      `${maps}/default?fieldManager=a&fieldValidation=Strict`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: default}\ndata: {a: b}\ndata: {c: d}\n',
    ),
  ],
};

import { accepting, core, get, newNamespace, post, put, type Topic, typed } from '../compare/step.ts';
import { configMap } from './objects.ts';

const NS = 'c-types';
const all = core(NS, 'configmaps');
const YAML = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  text: "1"\n  multi: |\n    two\n    lines\n';

export const contentTypes: Topic = {
  name: 'content types',
  steps: [
    newNamespace(NS),
    typed('application/yaml', post(all, YAML)),
    accepting('application/yaml', get(`${all}/yaml`)),
    accepting('application/yaml', get(`${all}/none`)),
    accepting('application/yaml', get(all)),
    typed('application/yaml', accepting('application/yaml', put(`${all}/yaml`, YAML.replace('"1"', '"2"')))),
    typed('application/yaml', post(all, YAML.replace('"1"', '1').replace('name: yaml', 'name: number'))),
    typed('application/yaml', post(all, 'a: b: c')),
    typed('application/yaml', post(all, '')),
    typed('application/yaml', post(all, `${YAML.replace('name: yaml', 'name: first')}---\n${YAML.replace('name: yaml', 'name: second')}`)),
    typed(
      'application/yaml',
      post(all, 'apiVersion: v1\nkind: ConfigMap\nmetadata: &m\n  name: anchors\n  labels: &l {a: b}\n  annotations: *l\n'),
    ),
    typed('application/yaml', post(all, '? {complex: key}\n: value\n')),
    typed('application/yaml', post(all, '- list\n')),
    typed('application/yaml', post(all, '"text"')),
    typed('application/yaml', post(all, JSON.stringify(configMap('json-in-yaml')))),
    typed('application/json; charset=utf-8', post(all, configMap('charset'))),
    typed('', post(all, configMap('no-type'))),
    typed('text/plain', post(all, configMap('text'))),
    typed('application/xml', post(all, '<a/>')),
    typed('application/x-www-form-urlencoded', post(all, 'a=b')),
    typed('not a type', post(all, configMap('strange'))),
    typed('application/json;', post(all, configMap('semicolon'))),
    typed('application/cbor', post(all, 'x')),
    { method: 'POST', path: all, body: configMap('untyped') },
    accepting('*/*', get(`${all}/yaml`)),
    accepting('application/*', get(`${all}/yaml`)),
    accepting('text/html', get(`${all}/yaml`)),
    accepting('text/html,*/*;q=0.5', get(`${all}/yaml`)),
    accepting('application/json;q=0.1,application/yaml', get(`${all}/yaml`)),
    accepting('', get(`${all}/yaml`)),
    accepting('nonsense', get(`${all}/yaml`)),
    accepting('application/xml', get('/api/v1')),
    accepting('application/yaml', get('/api', { view: (body) => ({ ...(body as object), serverAddressByClientCIDRs: undefined }) })),
    accepting('application/xml', post(all, configMap('not-acceptable'))),
    get(`${all}/not-acceptable`),
    get(`${all}/yaml?pretty=true`),
    get(`${all}/yaml?pretty=0`),
  ],
};

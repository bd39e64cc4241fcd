import { readFileSync } from 'node:fs';
import { type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createCloud } from './cloud.ts';
import { balanced, createWorld, nodeNamed } from './world.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
}

/** Records each request as "verb resource". */
const noting = (port: ClientPort, requests: Set<string>): ClientPort => {
  const note = (verb: string, { plural }: Resource, { subresource }: { readonly subresource?: string } = {}): void =>
    void requests.add(`${verb} ${subresource ? `${plural}/${subresource}` : plural}`);
  return {
    ...port,
    get(resource, key, options) {
      note('get', resource);
      return port.get(resource, key, options);
    },
    watch(resource, options) {
      note('watch', resource);
      return port.watch(resource, options);
    },
    create(resource, object, options) {
      note('create', resource, options);
      return port.create(resource, object, options);
    },
    patch(resource, key, patch, options) {
      note('patch', resource, options);
      return port.patch(resource, key, patch, options);
    },
  };
};

const rightsIn = (file: string, role: string): string[] =>
  parseAllDocuments(readFileSync(`docs/deploy/${file}`, 'utf8'))
    .map((document) => document.toJS() as Manifest)
    .filter(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === role)
    .flatMap(({ rules = [] }) => rules)
    .flatMap((rule) => rule.resources.flatMap((resource) => rule.verbs.map((verb) => `${verb} ${resource}`)));

test('rbac-service-lb.yaml grants exactly the permissions that rbac.yaml lacks', async () => {
  const requests = new Set<string>();
  const cloud = createCloud();
  cloud.held.set('old', { service: { metadata: { namespace: 'shop', name: 'old', uid: 'old' } }, nodes: [] });
  await using world = await createWorld({
    objects: [nodeNamed('n1'), balanced('web')],
    cloud,
    through: (port) => noting(port, requests),
  });
  await world.start();
  await world.client.create(resources.nodes, nodeNamed('n2'));
  await world.delete('web');
  await world.pass();
  const [common, own] = [rightsIn('rbac.yaml', 'kube-endpoints'), rightsIn('rbac-service-lb.yaml', 'kube-endpoints-service-lb')];
  expect([...requests].sort()).toEqual(['create events', 'get services', 'patch services/status', 'watch nodes', 'watch services']);
  expect([...requests].filter((each) => !common.includes(each))).toEqual(own);
});

import { readFileSync } from 'node:fs';
import { type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createCloud } from './cloud.ts';
import { createFixture, loadBalancerService, makeNode } from './fixture.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
}

/** Records each request as "verb resource". */
const recordRequests = (port: ClientPort, requests: Set<string>): ClientPort => {
  const record = (verb: string, { plural }: Resource, { subresource }: { readonly subresource?: string } = {}): void =>
    void requests.add(`${verb} ${subresource ? `${plural}/${subresource}` : plural}`);
  return {
    ...port,
    get(resource, key, options) {
      record('get', resource);
      return port.get(resource, key, options);
    },
    watch(resource, options) {
      record('watch', resource);
      return port.watch(resource, options);
    },
    create(resource, object, options) {
      record('create', resource, options);
      return port.create(resource, object, options);
    },
    patch(resource, key, patch, options) {
      record('patch', resource, options);
      return port.patch(resource, key, patch, options);
    },
  };
};

const permissionsIn = (file: string, role: string): string[] =>
  parseAllDocuments(readFileSync(`docs/deploy/${file}`, 'utf8'))
    .map((document) => document.toJS() as Manifest)
    .filter(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === role)
    .flatMap(({ rules = [] }) => rules)
    .flatMap((rule) => rule.resources.flatMap((resource) => rule.verbs.map((verb) => `${verb} ${resource}`)));

test('rbac-service-lb.yaml grants exactly the permissions that the controller needs beyond rbac.yaml', async () => {
  const requests = new Set<string>();
  const cloud = createCloud();
  cloud.loadBalancers.set('old', { service: { metadata: { namespace: 'shop', name: 'old', uid: 'old' } }, nodes: [] });
  await using fixture = await createFixture({
    objects: [makeNode('n1'), loadBalancerService('web')],
    cloud,
    wrapPort: (port) => recordRequests(port, requests),
  });
  await fixture.start();
  await fixture.client.create(resources.nodes, makeNode('n2'));
  await fixture.delete('web');
  await fixture.pass();
  const [commonPermissions, additionalPermissions] = [
    permissionsIn('rbac.yaml', 'kube-endpoints'),
    permissionsIn('rbac-service-lb.yaml', 'kube-endpoints-service-lb'),
  ];
  expect([...requests].sort()).toEqual(['create events', 'get services', 'patch services/status', 'watch nodes', 'watch services']);
  expect([...requests].filter((each) => !commonPermissions.includes(each))).toEqual(additionalPermissions);
});

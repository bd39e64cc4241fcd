import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiServer } from '@kube-endpoints/apiserver';
import { createHost, type HostOptions, type RuntimeEvent } from '@kube-endpoints/controllers';
import { observePort } from '@kube-endpoints/controllers/operations';
import { type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { root } from '../../../../test/support/repository.ts';
import { nodeFor, podFor, serviceFor } from '../../../controllers/test/controllers/objects.ts';
import { createClock } from '../../../controllers/test/queue/clock.ts';
import { policyKinds, relatedResourcesOf, routeKinds, workloadKinds } from '../../src/input/related-kinds.ts';
import { run } from '../fake-io.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
  readonly spec?: { readonly template: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly securityContext: unknown;
    readonly livenessProbe: { readonly httpGet: { readonly path: string } };
    readonly readinessProbe: { readonly httpGet: { readonly path: string } };
  }[];
  readonly securityContext: unknown;
}

const manifestsIn = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(join(root, 'docs/deploy', file), 'utf8')).map((document) => document.toJS() as Manifest);

const permissionsOf = (...names: readonly string[]): Set<string> =>
  new Set(
    manifestsIn('rbac.yaml')
      .filter(({ metadata, kind }) => kind.endsWith('Role') && names.includes(metadata.name))
      .flatMap(({ rules = [] }) => rules)
      .flatMap(({ resources: resourceNames, verbs }) => resourceNames.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`))),
  );

/** Wraps a port so that creating the Endpoints "brief" deletes their Service and then fails like a lost connection. */
const withLostResponse = (port: ClientPort): ClientPort => ({
  ...port,
  async create(resource, object, options) {
    const { namespace = '', name = '' } = object.metadata;
    if (resource.plural !== 'endpoints' || name !== 'brief') return port.create(resource, object, options);
    await port.delete(resources.services, { namespace, name }).catch(() => undefined);
    throw new Error('socket hang up');
  },
});

describe('the Roles of rbac.yaml', () => {
  /** Records the requests of two replicas that cover all operations on Services and slices, and a change of leader. */
  async function recordRequests(options: Partial<HostOptions>): Promise<ReadonlySet<string>> {
    const clock = createClock();
    const orphan = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'orphan' } };
    const objects = [nodeFor('n1'), serviceFor('web'), serviceFor('db'), podFor('web-1'), podFor('db-1', { app: 'db' }), orphan];
    await using server = await createApiServer({ clock, background: false, endsPods: false, objects });
    const requested = new Set<string>();
    const observer = (event: RuntimeEvent): void => {
      if (event.kind === 'request') requested.add(`${event.verb} ${event.resource}`);
    };
    const start = (identity: string) => {
      const abort = new AbortController();
      const port = observePort(withLostResponse(server.client), clock, observer);
      const running = createHost({ port, clock, random: () => 0.5, identity, ...options }).run(abort.signal);
      return { stop: () => abort.abort(), running };
    };
    const first = start('a');
    const second = start('b');
    await clock.pass(120_000);
    const { client } = server;
    await client.patch(resources.pods, { namespace: 'shop', name: 'web-1' }, { metadata: { labels: { app: 'db' } } }, { type: 'merge' });
    await client.delete(resources.services, { namespace: 'shop', name: 'db' });
    // A pod with an address but no node makes the sync fail, which causes an Event.
    await client.create(resources.services, serviceFor('late'));
    const late = await client.create(resources.pods, podFor('late-1', { app: 'late', node: '' }));
    await client.update(resources.pods, { ...late, status: podFor('').status }, { subresource: 'status' });
    await client.create(resources.services, serviceFor('brief'));
    await clock.pass(120_000);
    first.stop();
    await clock.pass(60_000);
    second.stop();
    await clock.pass(60_000);
    await Promise.all([first.running, second.running]);
    return requested;
  }

  test('permit exactly the requests of the controllers', async () => {
    const permissions = permissionsOf('kube-endpoints', 'kube-endpoints-leases');
    const requested = new Set([
      ...(await recordRequests({ leaderElection: {} })),
      ...(await recordRequests({ shards: { name: 'group' } })),
    ]);
    expect(requested.size).toBeGreaterThan(12);
    expect([...requested].filter((request) => !permissions.has(request))).toEqual([]);
    // The API server checks the finalizers of owners on behalf of the client. Not covered here: list for servers without WatchList, deleting
    // superfluous slices and Leases of dead replicas, and patching repeated Events.
    const coveredElsewhere = /^update (services|endpoints)\/finalizers|^list |^delete (endpointslices|leases)|^patch events/;
    expect([...permissions].filter((permission) => !requested.has(permission) && !coveredElsewhere.test(permission))).toEqual([]);
  });

  test('permit readers to list every kind that shows causes', () => {
    const kinds = [...workloadKinds, ...policyKinds, ...routeKinds, 'PodDisruptionBudget' as const].map(
      (kind) => relatedResourcesOf(kind)[0]?.plural,
    );
    const wanted = [...kinds, 'events', 'namespaces', 'servicecidrs'].map((plural) => `list ${plural}`);
    expect([...permissionsOf('kube-endpoints-diagnosis')].sort()).toEqual(wanted.sort());
    const page = readFileSync(join(root, 'docs/cookbook/operations.md'), 'utf8');
    for (const plural of kinds) expect(page).toContain(`\`${plural}\``);
  });

  test('permit readers only to list', async () => {
    expect([...permissionsOf('kube-endpoints-reader')].sort()).toEqual([
      'list endpoints',
      'list endpointslices',
      'list nodes',
      'list pods',
      'list services',
    ]);
  });
});

describe('deployment.yaml', () => {
  const pod = manifestsIn('deployment.yaml').find(({ kind }) => kind === 'Deployment')?.spec?.template.spec as PodSpec;
  const [container] = pod.containers;

  test('uses valid flags', async () => {
    const fakes = { untilStopped: async () => undefined, env: { KUBECONFIG: '/no/such/file' } };
    const { stderr } = await run(container?.args ?? [], fakes);
    expect(stderr).toMatch(/^error: no cluster found: /);
  });

  test('runs without privileges on its node', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('probes the paths that serve health', () => {
    expect([container?.livenessProbe.httpGet.path, container?.readinessProbe.httpGet.path]).toEqual(['/livez', '/readyz']);
  });

  test('uses the same namespace as rbac.yaml', () => {
    const all = [...manifestsIn('rbac.yaml'), ...manifestsIn('deployment.yaml')];
    expect(new Set(all.flatMap(({ metadata }) => metadata.namespace ?? []))).toEqual(new Set(['kube-endpoints']));
    expect(container?.args).toContain('--leader-elect-resource-namespace=kube-endpoints');
  });
});

import type { ApiError, ApiObject, Resource } from 'kube-endpoints/port';
import { type AdmissionFunction, composeAdmission, createFunctionAdmission, createPolicyAdmission } from '../../../src/admission/index.ts';
import type { CelAuthorizer } from '../../../src/cel/authorizer.ts';
import { createRegistry, type Registry, randomnessFrom, type User } from '../../../src/registry/index.ts';
import { createStore } from '../../../src/store/index.ts';
import { seeded } from '../../registry/support.ts';
import { createClock } from '../../store/support.ts';
import { createFixtureStrategies } from '../support/fixture.ts';

const group = 'admissionregistration.k8s.io';
const version = 'v1';

export const policyResources: Readonly<Record<'policies' | 'bindings' | 'mutatingPolicies' | 'mutatingBindings', Resource>> = {
  policies: { group, version, plural: 'validatingadmissionpolicies', kind: 'ValidatingAdmissionPolicy', namespaced: false },
  bindings: { group, version, plural: 'validatingadmissionpolicybindings', kind: 'ValidatingAdmissionPolicyBinding', namespaced: false },
  mutatingPolicies: { group, version, plural: 'mutatingadmissionpolicies', kind: 'MutatingAdmissionPolicy', namespaced: false },
  mutatingBindings: {
    group,
    version,
    plural: 'mutatingadmissionpolicybindings',
    kind: 'MutatingAdmissionPolicyBinding',
    namespaced: false,
  },
};

export const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
export const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };

export interface PolicyFixture {
  readonly registry: Registry;
  createPolicy(name: string, spec: object): Promise<ApiObject>;
  createBinding(name: string, spec: object): Promise<ApiObject>;
  createMutatingPolicy(name: string, spec: object): Promise<ApiObject>;
  /** Creates a ConfigMap in the namespace "default". Returns it, or the error, and the warnings. */
  send(
    object: object,
    user?: User,
  ): Promise<{ readonly object?: ApiObject; readonly error?: ApiError; readonly warnings: readonly string[] }>;
}

/** Creates a registry of all built-in resources with policies and the namespace "default". */
export async function createPolicyFixture({
  authorizer = { authorize: () => ({ isAllowed: true, reason: '' }) },
  functions = [],
}: {
  readonly authorizer?: CelAuthorizer;
  readonly functions?: readonly AdmissionFunction[];
} = {}): Promise<PolicyFixture> {
  const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
  const store = createStore({ clock });
  const policies = createPolicyAdmission({ store, getRegistry: () => registry, authorizer });
  const registry: Registry = createRegistry({
    store,
    clock,
    strategies: createFixtureStrategies(),
    randomness: randomnessFrom(seeded()),
    admission: composeAdmission(policies, createFunctionAdmission(functions)),
  });
  const create = (resource: Resource, name: string, spec: object): Promise<ApiObject> =>
    registry.create(resource, undefined, { metadata: { name }, spec } as unknown as ApiObject);
  await registry.create(namespaces, undefined, { metadata: { name: 'default', labels: { team: 'blue' } } } as ApiObject);
  return {
    registry,
    createPolicy: (name, spec) => create(policyResources.policies, name, { matchConstraints: matchConfigMaps, ...spec }),
    createBinding: (name, spec) => create(policyResources.bindings, name, { policyName: name, validationActions: ['Deny'], ...spec }),
    async createMutatingPolicy(name, spec) {
      const defaults = { matchConstraints: matchConfigMaps, reinvocationPolicy: 'Never' };
      const policy = await create(policyResources.mutatingPolicies, name, { ...defaults, ...spec });
      await create(policyResources.mutatingBindings, name, { policyName: name });
      return policy;
    },
    async send(object, user) {
      const warnings: string[] = [];
      try {
        const created = await registry.create(configMaps, 'default', object as ApiObject, {
          ...(user && { user }),
          warn: (warning: string) => warnings.push(warning),
        });
        return { object: created, warnings };
      } catch (error) {
        return { error: error as ApiError, warnings };
      }
    },
  };
}

export const matchConfigMaps: { readonly resourceRules: readonly object[] } = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }],
};

export const configMap = (name: string, data: Readonly<Record<string, string>> = {}): object => ({ metadata: { name }, data });

import { authorizerType, createAuthorizerFunctions } from './authorizer.ts';
import { type CelHost, createCelHost, type Environment } from './environment.ts';
import { loadCelLibrary } from './library.ts';

/** Which of the optional variables are declared. */
export interface OptionalVariables {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
}

/** The environments of expressions in admission. */
export interface AdmissionHost {
  readonly cel: CelHost;
  /** Returns a new environment, in which further variables may be declared. */
  createEnvironment(variables: OptionalVariables): Environment;
}

/** Mirrors createEnvForOpts (apiserver/pkg/admission/plugin/cel/compile.go, 1.36). */
export function createAdmissionHost(): AdmissionHost {
  const cel = createCelHost();
  const { compiler } = cel;
  const base = loadCelLibrary().registerParts(cel.environment.clone(), [createAuthorizerFunctions(compiler.spend)]);
  for (const [name, schema] of [
    [requestType, requestSchema],
    [namespaceType, namespaceSchema],
  ] as const)
    base.registerType({ name, schema } as never, undefined as never);
  base.registerOperator(`${namespaceType} == null`, isMissingNamespace as never);
  for (const name of ['object', 'oldObject']) base.registerVariable(name, 'dyn');
  base.registerVariable('request', requestType).registerVariable('namespaceObject', namespaceType);
  return {
    cel,
    createEnvironment({ hasParams, hasAuthorizer }) {
      const environment = base.clone();
      if (hasParams) environment.registerVariable('params', 'dyn');
      if (hasAuthorizer) environment.registerVariable('authorizer', authorizerType);
      return environment;
    },
  };
}

/** The value of `namespaceObject` for cluster-scoped objects. A Namespace always has metadata. */
export const missingNamespace: ReadonlyMap<string, unknown> = new Map();
const isMissingNamespace = (namespace: ReadonlyMap<string, unknown>): boolean => namespace.get('metadata') === undefined;

const kindSchema = { group: 'string', version: 'string', kind: 'string' };
const resourceSchema = { group: 'string', version: 'string', resource: 'string' };

const requestType = 'kubernetes.AdmissionRequest';
/** Mirrors BuildRequestType. */
const requestSchema = {
  kind: kindSchema,
  resource: resourceSchema,
  subResource: 'string',
  requestKind: kindSchema,
  requestResource: resourceSchema,
  requestSubResource: 'string',
  name: 'string',
  namespace: 'string',
  operation: 'string',
  userInfo: { username: 'string', uid: 'string', groups: 'list<string>', extra: 'map<string, list<string>>' },
  dryRun: 'bool',
  options: 'dyn',
};

const namespaceType = 'kubernetes.Namespace';
/** Mirrors BuildNamespaceType. Upstream declares times as timestamps, but their values are texts, so here they are dynamic. */
const namespaceSchema = {
  metadata: {
    name: 'string',
    generateName: 'string',
    namespace: 'string',
    labels: 'map<string, string>',
    annotations: 'map<string, string>',
    UID: 'string',
    creationTimestamp: 'dyn',
    deletionGracePeriodSeconds: 'int',
    deletionTimestamp: 'dyn',
    generation: 'int',
    resourceVersion: 'string',
    finalizers: 'list<string>',
  },
  spec: { finalizers: 'list<string>' },
  status: { conditions: 'list<map<string, string>>', phase: 'string' },
};

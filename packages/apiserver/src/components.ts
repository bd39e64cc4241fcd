import type { KeyObject } from 'node:crypto';
import type { ServiceAllocators } from 'kube-endpoints/allocators';
import { resources as portResources } from 'kube-endpoints/port';
import {
  composeAdmission,
  composeInOrder,
  createPolicyAdmission,
  createWebhookAdmission,
  type PolicyAdmission,
  type WebhookAdmission,
} from './admission/index.ts';
import {
  type Authorizer,
  allowAll,
  createParamsCheck,
  createRbacAuthorizer,
  createReviews,
  createRoleLookup,
  createRoleWriteCheck,
} from './authorization/index.ts';
import {
  type ControllerLoop,
  createDefaultServiceCIDRController,
  createResourceQuotaController,
  createRootCertificateController,
  createServiceAccountController,
  startControllers,
} from './controllers/index.ts';
import { type CustomResources, createCustomResources } from './custom-resources/index.ts';
import type { Data } from './data/index.ts';
import { startEventExpiry } from './event-expiry.ts';
import { createExtraResourceEntry } from './extra-resources.ts';
import { type Classifier, createClassifier, createFlowControlController } from './flow-control/index.ts';
import { type ApiServerOptions, allocateRestored, createServiceAllocators, serviceClusterIPRangesOf } from './options.ts';
import { createQuotaAdmission } from './quota/index.ts';
import { builtInResources, type Catalog, createCatalog } from './registry/catalog.ts';
import {
  type Admission,
  type BackgroundTasks,
  createBackgroundTasks,
  createBuiltInStrategies,
  createRegistry,
  createSchemalessStrategy,
  createServiceAccountTokens,
  createTimestampFormatter,
  type Randomness,
  type Registry,
  type ResourceStrategy,
  type ServiceAccountTokens,
  systemRandomness,
} from './registry/index.ts';
import { builtInDescriptions } from './resources/index.ts';
import { type Clock, createStore, type Store, systemClock } from './store/index.ts';
import { createCallContext } from './webhook-client/index.ts';

export interface Components {
  readonly store: Store;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
  readonly catalog: Catalog;
  readonly webhooks: WebhookAdmission;
  readonly policies: PolicyAdmission;
  readonly background: BackgroundTasks;
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly classifyFlow: Classifier;
  readonly controllers: ControllerLoop;
  readonly customResources: CustomResources;
  /** Starts the controllers of kube-apiserver itself, which create FlowSchemas, PriorityLevelConfigurations and a ServiceCIDR. */
  startServerControllers(): Promise<void>;
  /** Whether these controllers have run for the first time. */
  haveServerControllersStarted(): boolean;
  /** Publishes the certificate authority, in PEM, in every namespace. */
  publishAuthority(authority: string): void;
  stopEventExpiry(): void;
}

/**
 * Creates the components of the API server, with the objects of `data`. `signingKey` signs the tokens of ServiceAccounts.
 *
 * @throws RangeError that names the invalid option
 */
export async function createComponents(
  options: ApiServerOptions,
  data: Data | undefined,
  signingKey: KeyObject | undefined,
): Promise<Components> {
  const { clock = systemClock, randomness = systemRandomness, resources = [], admission = [] } = options;
  const { resolveService, background: automatic = true, endsPods = true, eventTTL = 3_600_000 } = options;
  const store = openStore(options, clock, data);
  const { authorizer, writeChecks, withReview } = createAuthorization(store, clock, options, () => registry);
  const calls = { store, clock, randomness, ...(resolveService && { resolveService }) };
  const webhooks = createWebhookAdmission({ getServedResources: () => registry, authorizer, ...calls });
  const policies = createPolicyAdmission({ store, getRegistry: () => registry, authorizer });
  const descriptions = builtInDescriptions();
  const registry: Registry = createRegistry({
    store,
    clock,
    randomness,
    strategies: [
      ...createBuiltInStrategies(createAllocators(store, options, randomness), store, descriptions).map(withReview),
      ...resources.map(createSchemalessStrategy),
    ],
    admission: withQuotas(composeAdmission(...admission, ...composeInOrder(policies, webhooks), ...writeChecks), store, clock),
    managesFields: true,
  });
  const catalog = createCatalog([...builtInResources(descriptions), ...resources.map(createExtraResourceEntry)]);
  const customResources = createCustomResources({
    registry,
    catalog,
    clock,
    webhooks: { context: createCallContext(calls), randomness },
  });
  // The garbage collector must know the kinds of restored owners.
  if (data?.saved) await customResources.settle();
  const background = createBackgroundTasks({ registry, clock, automatic, endsPods, ...(automatic && { bootstrap: {} }) });
  const controllers = startBuiltInControllers({ registry, clock, automatic, cidrs: serviceClusterIPRangesOf(options) });
  return {
    store,
    registry,
    authorizer,
    classifyFlow: createClassifier(store),
    catalog,
    webhooks,
    policies,
    background,
    serviceAccountTokens: createServiceAccountTokens({ store, clock, randomness, ...(signingKey && { signingKey }) }),
    customResources,
    stopEventExpiry: startEventExpiry(store, clock, eventTTL),
    ...controllers,
  };
}

function openStore({ maxEvents, maxEventBytes }: ApiServerOptions, clock: Clock, data: Data | undefined): Store {
  const store = createStore({
    clock,
    ...(maxEvents !== undefined && { maxEvents }),
    ...(maxEventBytes !== undefined && { maxBytes: maxEventBytes }),
    ...(data && { journal: data.journal }),
    ...(data?.saved && { saved: data.saved }),
  });
  data?.journal.attach(() => store.capture());
  return store;
}

/** Creates the allocators of Services, with the addresses and ports of stored Services. */
function createAllocators(store: Store, options: ApiServerOptions, { draw }: Randomness): ServiceAllocators {
  const allocators = createServiceAllocators(options, draw);
  for (const service of store.list(portResources.services).items) allocateRestored(service, allocators);
  return allocators;
}

interface ControllerOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  /** Whether the controllers of kube-controller-manager run, too. */
  readonly automatic: boolean;
  /** The ranges of cluster IPs. */
  readonly cidrs: readonly string[];
}

function startBuiltInControllers(
  options: ControllerOptions,
): Pick<Components, 'controllers' | 'publishAuthority' | 'startServerControllers' | 'haveServerControllersStarted'> {
  const { registry, clock, automatic, cidrs } = options;
  let publishedAuthority: string | undefined;
  let haveStarted = false;
  let starting: Promise<void> | undefined;
  const managerControllers = [
    createServiceAccountController(registry),
    createRootCertificateController(registry, () => publishedAuthority),
    createResourceQuotaController(registry, clock),
  ];
  // Their work is part of kube-apiserver itself, so that no controller manager does it.
  const serverControllers = [createFlowControlController(registry, clock), createDefaultServiceCIDRController(registry, cidrs, clock)];
  const controllers = startControllers(automatic ? managerControllers : [], { registry, clock });
  return {
    controllers,
    startServerControllers() {
      starting ??= controllers.start(serverControllers).then(() => {
        haveStarted = true;
      });
      return starting;
    },
    haveServerControllersStarted: () => haveStarted,
    publishAuthority(authority) {
      publishedAuthority ??= authority;
      controllers.resync();
    },
  };
}

interface Authorization {
  readonly authorizer: Authorizer;
  /** Checks of the permissions that a write needs, which run after all other admission. */
  readonly writeChecks: readonly (ReturnType<typeof createRoleWriteCheck> | ReturnType<typeof createParamsCheck>)[];
  /** Makes creates of reviews answer instead of storing an object. */
  withReview(strategy: ResourceStrategy): ResourceStrategy;
}

function createAuthorization(
  store: Store,
  clock: Clock,
  { authorization }: Pick<ApiServerOptions, 'authorization'>,
  getRegistry: () => Registry,
): Authorization {
  const roles = authorization === 'rbac' ? createRoleLookup(store) : undefined;
  const authorizer = roles ? createRbacAuthorizer(roles) : allowAll;
  const reviews = createReviews(authorizer, createTimestampFormatter(clock));
  return {
    authorizer,
    writeChecks: roles ? [createRoleWriteCheck(authorizer, roles), createParamsCheck(authorizer, getRegistry)] : [],
    withReview(strategy) {
      const review = reviews[`${strategy.resource.plural}.${strategy.resource.group}`];
      return review ? { ...strategy, review } : strategy;
    },
  };
}

/** Checks quotas after all other admission has passed, because a check charges the usage. */
function withQuotas(admission: Admission, store: Store, clock: Clock): Admission {
  const quotas = createQuotaAdmission({ store, now: () => clock.now() });
  return {
    ...admission,
    async validate(request) {
      await admission.validate?.(request);
      await quotas.validate?.(request);
    },
  };
}

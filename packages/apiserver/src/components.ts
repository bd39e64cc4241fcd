import { composeAdmission, createWebhookAdmission, type WebhookAdmission } from './admission/index.ts';
import {
  type Authorizer,
  allowAll,
  createRbacAuthorizer,
  createReviews,
  createRoleLookup,
  createRoleWriteCheck,
} from './authorization/index.ts';
import {
  type ControllerLoop,
  createResourceQuotaController,
  createRootCertificateController,
  createServiceAccountController,
  startControllers,
} from './controllers/index.ts';
import { type CustomResources, createCustomResources } from './custom-resources/index.ts';
import { startEventExpiry } from './event-expiry.ts';
import { createExtraResourceEntry } from './extra-resources.ts';
import { type ApiServerOptions, checkApiServerOptions, createServiceAllocators } from './options.ts';
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
  type Registry,
  type ResourceStrategy,
  type ServiceAccountTokens,
  systemRandomness,
} from './registry/index.ts';
import { createStore, type Store, systemClock } from './store/index.ts';

export interface Components {
  readonly store: Store;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
  readonly catalog: Catalog;
  readonly webhooks: WebhookAdmission;
  readonly background: BackgroundTasks;
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly controllers: ControllerLoop;
  readonly customResources: CustomResources;
  /** Publishes the certificate authority, in PEM, in every namespace. */
  publishAuthority(authority: string): void;
  stopEventExpiry(): void;
}

/** Creates the components of the API server. @throws RangeError that names the invalid option */
export function createComponents(options: ApiServerOptions): Components {
  checkApiServerOptions(options);
  const { clock = systemClock, randomness = systemRandomness, resources = [], admission = [], maxEvents, maxEventBytes } = options;
  const { resolveService, background: automatic = true, endsPods = true, eventTTL = 3_600_000 } = options;
  const store = createStore({
    clock,
    ...(maxEvents !== undefined && { maxEvents }),
    ...(maxEventBytes !== undefined && { maxBytes: maxEventBytes }),
  });
  const roles = options.authorization === 'rbac' ? createRoleLookup(store) : undefined;
  const authorizer = roles ? createRbacAuthorizer(roles) : allowAll;
  const stopEventExpiry = startEventExpiry(store, clock, eventTTL);
  const webhooks = createWebhookAdmission({
    store,
    getServedResources: () => registry,
    clock,
    randomness,
    ...(resolveService && { resolveService }),
  });
  const reviews = createReviews(authorizer, createTimestampFormatter(clock));
  const withReview = (strategy: ResourceStrategy): ResourceStrategy => {
    const review = reviews[`${strategy.resource.plural}.${strategy.resource.group}`];
    return review ? { ...strategy, review } : strategy;
  };
  const registry: Registry = createRegistry({
    store,
    clock,
    randomness,
    strategies: [
      ...createBuiltInStrategies(createServiceAllocators(options, randomness.draw), store).map(withReview),
      ...resources.map(createSchemalessStrategy),
    ],
    admission: withQuotas(
      composeAdmission(...admission, webhooks, ...(roles ? [createRoleWriteCheck(authorizer, roles)] : [])),
      createQuotaAdmission({ store, now: () => clock.now() }),
    ),
    managesFields: true,
  });
  const catalog = createCatalog([...builtInResources(), ...resources.map(createExtraResourceEntry)]);
  const background = createBackgroundTasks({ registry, clock, automatic, endsPods, ...(automatic && { bootstrap: {} }) });
  const customResources = createCustomResources({ registry, catalog, clock });
  let publishedAuthority: string | undefined;
  const controllers = startControllers(
    automatic
      ? [
          createServiceAccountController(registry),
          createRootCertificateController(registry, () => publishedAuthority),
          createResourceQuotaController(registry, clock),
        ]
      : [],
    { registry, clock, automatic },
  );
  return {
    store,
    registry,
    authorizer,
    catalog,
    webhooks,
    background,
    serviceAccountTokens: createServiceAccountTokens({ store, clock, randomness }),
    controllers,
    customResources,
    publishAuthority(authority) {
      publishedAuthority ??= authority;
      controllers.resync();
    },
    stopEventExpiry,
  };
}

/** Checks quotas after all other admission has passed, because a check charges the usage. */
function withQuotas(admission: Admission, quotas: Admission): Admission {
  return {
    ...admission,
    async validate(request) {
      await admission.validate?.(request);
      await quotas.validate?.(request);
    },
  };
}

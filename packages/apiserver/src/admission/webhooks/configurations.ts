import type { Labels } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { child, type Fields, has, list, number, text, texts } from '../../resources/field/read.ts';
import type { Store } from '../../store/index.ts';
import { type ClientConfig, readClientConfig } from '../../webhook-client/index.ts';
import { createLabelMatcher } from '../labels.ts';
import { type Rule, type RuleSet, readRule } from '../rules.ts';

export interface Webhook extends RuleSet<Rule> {
  /** Unique, even if several webhooks have the same name. */
  readonly id: string;
  readonly name: string;
  /** Absent if the selector is empty and so matches every namespace. */
  readonly matchesNamespace?: (labels: Labels) => boolean;
  /** Absent if the selector is empty and so matches every object. */
  readonly matchesObject?: (labels: Labels) => boolean;
  readonly matchConditions: readonly MatchCondition[];
  /** Whether failurePolicy is Ignore. */
  readonly ignoresFailure: boolean;
  readonly timeoutSeconds: number;
  readonly sideEffects: string;
  readonly reviewVersions: readonly string[];
  /** Whether reinvocationPolicy is IfNeeded. */
  readonly reinvocable: boolean;
  readonly client: ClientConfig;
}

interface MatchCondition {
  readonly name: string;
  /** A CEL expression. */
  readonly expression: string;
}

export const createConfigurationResource = (kind: string): Resource => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: `${kind.toLowerCase()}s`,
  kind,
  namespaced: false,
});

/** The current webhooks, sorted by the name of their configuration; the webhooks of one configuration keep their order. */
interface Configurations {
  mutatingWebhooks(): readonly Webhook[];
  validatingWebhooks(): readonly Webhook[];
  /** Stops observing the store. */
  close(): void;
}

export function watchConfigurations(store: Pick<Store, 'list' | 'observe'>): Configurations {
  const mutatingCache = createWebhookCache(store, createConfigurationResource('MutatingWebhookConfiguration'));
  const validatingCache = createWebhookCache(store, createConfigurationResource('ValidatingWebhookConfiguration'));
  const close = store.observe(({ resource: { group } }) => {
    if (group !== 'admissionregistration.k8s.io') return;
    mutatingCache.invalidate();
    validatingCache.invalidate();
  });
  return { mutatingWebhooks: mutatingCache.getWebhooks, validatingWebhooks: validatingCache.getWebhooks, close };
}

interface WebhookCache {
  getWebhooks(): readonly Webhook[];
  invalidate(): void;
}

/** Caches the webhooks until a configuration changes. */
function createWebhookCache(store: Pick<Store, 'list'>, resource: Resource): WebhookCache {
  let webhooks: readonly Webhook[] | undefined;
  return {
    getWebhooks() {
      webhooks ??= store.list(resource).items.flatMap(readWebhooks);
      return webhooks;
    },
    invalidate() {
      webhooks = undefined;
    },
  };
}

function readWebhooks(configuration: ApiObject): readonly Webhook[] {
  const countsByName = new Map<string, number>();
  return list(configuration as unknown as Fields, 'webhooks').map((hook) => {
    const name = text(hook, 'name');
    const count = countsByName.get(name) ?? 0;
    countsByName.set(name, count + 1);
    return readWebhook(hook, `${configuration.metadata.name ?? ''}/${name}/${count}`);
  });
}

function readWebhook(hook: Fields, id: string): Webhook {
  const matchesNamespace = createLabelMatcher(child(hook, 'namespaceSelector'));
  const matchesObject = createLabelMatcher(child(hook, 'objectSelector'));
  return {
    id,
    name: text(hook, 'name'),
    rules: list(hook, 'rules').map(readRule),
    matchesEquivalentResources: text(hook, 'matchPolicy') !== 'Exact',
    ...(matchesNamespace && { matchesNamespace }),
    ...(matchesObject && { matchesObject }),
    matchConditions: list(hook, 'matchConditions').map((each) => ({ name: text(each, 'name'), expression: text(each, 'expression') })),
    ignoresFailure: text(hook, 'failurePolicy') === 'Ignore',
    timeoutSeconds: has(hook, 'timeoutSeconds') ? number(hook, 'timeoutSeconds') : 10,
    sideEffects: text(hook, 'sideEffects'),
    reviewVersions: texts(hook, 'admissionReviewVersions'),
    reinvocable: text(hook, 'reinvocationPolicy') === 'IfNeeded',
    client: readClientConfig(child(hook, 'clientConfig')),
  };
}

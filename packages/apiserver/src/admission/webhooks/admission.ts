import type { CelAuthorizer } from '../../cel/authorizer.ts';
import { createMatchConditions } from '../../cel/match-conditions.ts';
import { type AdmissionRequest, type Randomness, systemRandomness } from '../../registry/index.ts';
import { type Clock, type Store, systemClock } from '../../store/index.ts';
import { createCallContext, type ResolveService, type WebhookClient } from '../../webhook-client/index.ts';
import { type ReinvocableAdmission, withReinvocation } from '../compose.ts';
import { convertObjects, createObjectConverter, type ServedResources } from '../object-converter.ts';
import { type Webhook, watchConfigurations } from './configurations.ts';
import { callForVerdict, requestTimeoutMs, toClientError, type WebhookContext } from './dispatch.ts';
import { findInvocation, type Invocation } from './match.ts';
import { mutate } from './mutate.ts';

export interface WebhookAdmissionOptions {
  /** Contains the configurations, Namespaces, Services and their endpoints. */
  readonly store: Pick<Store, 'get' | 'list' | 'observe'>;
  /** Returns the registry. A function, because the registry is created after the admission that it uses. */
  readonly getServedResources: () => ServedResources;
  /** Answers the checks of match conditions. Default: allows everything. */
  readonly authorizer?: CelAuthorizer;
  /** Default: the system clock. */
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** Resolves a Service to an address. Default: one of the Service's endpoints in the store. */
  readonly resolveService?: ResolveService;
  /** Default: node:https. */
  readonly client?: WebhookClient;
}

export interface WebhookAdmission extends ReinvocableAdmission {
  /** Closes idle connections and stops observing the store. */
  close(): void;
}

/** Calls the webhooks of the MutatingWebhookConfigurations and ValidatingWebhookConfigurations in the store. */
export function createWebhookAdmission(options: WebhookAdmissionOptions): WebhookAdmission {
  const context = createWebhookContext(options);
  const configurations = watchConfigurations(options.store);
  const admission = withReinvocation({
    mutateReinvocably(request, reinvocation) {
      const webhooks = configurations.mutatingWebhooks();
      return webhooks.length === 0 || isExempt(request) ? undefined : mutate(context, webhooks, request, reinvocation);
    },
    validate(request) {
      const webhooks = configurations.validatingWebhooks();
      return webhooks.length === 0 || isExempt(request) ? undefined : validate(context, webhooks, request);
    },
  });
  const close = (): void => {
    configurations.close();
    context.client.close();
  };
  return { ...admission, close };
}

function createWebhookContext(options: WebhookAdmissionOptions): WebhookContext {
  const { store, getServedResources, clock = systemClock, randomness = systemRandomness } = options;
  return {
    ...createCallContext({ ...options, clock, randomness }),
    store,
    randomness,
    converter: createObjectConverter(getServedResources),
    conditions: createMatchConditions(),
    authorizer: options.authorizer ?? allowAll,
  };
}

const allowAll: CelAuthorizer = { authorize: () => ({ isAllowed: true, reason: '' }) };

const exemptKinds: readonly string[] = [
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
];

/**
 * Mirrors IsExemptAdmissionConfigurationResource: admission configurations bypass webhooks, so that a broken webhook cannot prevent its own
 * repair.
 */
const isExempt = ({ resource: { group, kind } }: AdmissionRequest): boolean =>
  group === 'admissionregistration.k8s.io' && exemptKinds.includes(kind);

/**
 * Calls validating webhooks in parallel. If several refuse, the error of the first webhook in the list is thrown.
 *
 * Mirrors validatingDispatcher.Dispatch (1.36, apiserver/pkg/admission/plugin/webhook/validating), which throws the error of the fastest webhook instead.
 * @throws ApiError if a webhook refuses, or fails and its failurePolicy is Fail
 */
export async function validate(context: WebhookContext, webhooks: readonly Webhook[], request: AdmissionRequest): Promise<void> {
  const deadlineMs = context.clock.now() + requestTimeoutMs;
  const invocations: Invocation[] = [];
  for (const webhook of webhooks) {
    const invocation = await findInvocation(context, webhook, request);
    if (invocation) invocations.push(invocation);
  }
  const outcomes = await Promise.allSettled(invocations.map((invocation) => callValidating(context, invocation, request, deadlineMs)));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

const noDeadlineMs = Number.POSITIVE_INFINITY;

async function callValidating(
  context: WebhookContext,
  invocation: Invocation,
  request: AdmissionRequest,
  deadlineMs: number,
): Promise<void> {
  try {
    const objects = await convertObjects(context.converter, request, invocation.resource);
    await callForVerdict(context, invocation, request, objects, { mutates: false, deadlineMs });
  } catch (error) {
    // As upstream, an ignored failure does not become a timeout here, so no deadline applies.
    const failure = toClientError(error, invocation, context, noDeadlineMs);
    if (failure) throw failure;
  }
}

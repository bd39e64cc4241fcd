import type { AdmissionRequest } from '../../registry/index.ts';
import { type Asking, ask, failureOf, requestTimeout } from './ask.ts';
import type { Webhook } from './configurations.ts';
import { type Invocation, invocationOf } from './match.ts';
import { seenBy } from './mutate.ts';

/**
 * Asks webhooks all at once. Where several say no, it is the first in their order that is heard.
 *
 * Mirrors validatingDispatcher.Dispatch (1.36, apiserver/pkg/admission/plugin/webhook/validating), which hears the fastest.
 * @throws ApiError
 */
export async function validate(asking: Asking, webhooks: readonly Webhook[], request: AdmissionRequest): Promise<void> {
  const until = asking.clock.now() + requestTimeout;
  const invocations = webhooks.map((webhook) => invocationOf(asking, webhook, request)).filter((each) => each !== undefined);
  const outcomes = await Promise.allSettled(invocations.map((invocation) => passes(asking, invocation, request, until)));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function passes(asking: Asking, invocation: Invocation, request: AdmissionRequest, until: number): Promise<void> {
  try {
    await ask(asking, invocation, request, seenBy(asking, invocation, request), { mutates: false, until });
  } catch (error) {
    const failure = failureOf(error, invocation, asking, Number.POSITIVE_INFINITY);
    if (failure) throw failure;
  }
}

import type { Logger } from '@kube-endpoints/controllers/operations';
import type { Overrides } from '@kube-endpoints/overrides';
import type { WebhookObserver } from '@kube-endpoints/overrides/internal';
import type { RuleFilesError, WebhookEvent } from '@kube-endpoints/overrides/webhook';
import { formatCount } from 'kube-endpoints/internal';
import type { PrintMessage } from '../../base/io.ts';

/** Logs the events of a webhook. @param connected whether the webhook can look objects up in a cluster */
export function createWebhookObserver(logger: Pick<Logger, 'log'>, connected: boolean): WebhookObserver {
  const handlers: Handlers = {
    policy: ({ reason, uid, problem }) =>
      logger.log(levelsByReason[reason] ?? 'warn', 'answered by the failure policy', { reason, ...(uid && { uid }), problem }),
    rules({ overrides }) {
      logger.log('info', 'rules are in force', { rules: overrides.rules.length });
      const missingNames = connected ? [] : listMissingInputs(overrides);
      if (missingNames.length > 0) logger.log('warn', `without a cluster, rules that need ${missingNames.join(', ')} do not match`);
    },
    certificate: ({ expires }) => logger.log('info', 'certificate is in use', { expires }),
    reloadFailed({ what, problems }) {
      for (const problem of problems) logger.log('error', `new ${fileTexts[what]} rejected, keeping the previous ones`, { problem });
    },
    closing: ({ open }) => logger.log('info', 'stopping after the reviews in progress', { open }),
  };
  return (event) => (handlers[event.kind] as (event: WebhookEvent) => void)(event);
}

type Handlers = { readonly [Kind in WebhookEvent['kind']]: (event: Extract<WebhookEvent, { kind: Kind }>) => void };

const fileTexts = { rules: 'rules', certificate: 'certificate and key' } as const;

/** Reviews outside of the rules are logged at debug level, because they are normal if the webhook is configured for everything. */
const levelsByReason: Readonly<Record<string, 'debug'>> = { notConcerned: 'debug' };

/** The inputs of rules that only a cluster provides. */
export function listMissingInputs({ needs }: Pick<Overrides, 'needs'>): readonly string[] {
  const inputs = [needs.service ? 'the Service' : '', needs.pods ? 'its pods' : '', needs.otherSlices ? 'its other slices' : ''];
  return inputs.filter((name) => name !== '');
}

/** Reports problems with rule files. */
export function printRuleProblems({ problems }: Pick<RuleFilesError, 'problems'>, printMessage: PrintMessage): void {
  for (const problem of problems.slice(0, maxProblems)) printMessage('error', problem);
  if (problems.length > maxProblems) printMessage('error', `${formatCount(problems.length - maxProblems, 'more problem')} in the rules`);
}

const maxProblems = 20;

import type { Overrides } from '../index.ts';

/** Why an answer came from the policy, not from the rules. */
export type PolicyReason = 'malformed' | 'notConcerned' | 'tooLarge' | 'late' | 'overloaded' | 'failed';

/** What the webhook tells of itself, for logs. */
export type WebhookHappening =
  | { readonly kind: 'policy'; readonly reason: PolicyReason; readonly uid: string; readonly problem: string }
  | { readonly kind: 'rules'; readonly overrides: Overrides }
  | { readonly kind: 'certificate'; readonly expires: string }
  | { readonly kind: 'reloadFailed'; readonly what: 'rules' | 'certificate'; readonly problems: readonly string[] }
  | { readonly kind: 'closing'; readonly open: number };

export type TellWebhook = (happening: WebhookHappening) => void;

/** Admission before a write is stored, by functions in this process or by webhooks over HTTPS. */
export { composeAdmission, type RoundedAdmission } from './compose.ts';
export type { Reason } from './denial.ts';
export type { Served } from './forms.ts';
export { type AdmissionFunction, createFunctionAdmission, type MutationAnswer, type Refusal, type ValidationAnswer } from './functions.ts';
export type { Rounds } from './rounds.ts';
export type { Rule } from './rules.ts';
export { createWebhookAdmission, type WebhookAdmission, type WebhookAdmissionOptions } from './webhooks/admission.ts';
export type { Address, ServiceReference } from './webhooks/client.ts';
export { CallBroken, type WebhookAnswer, type WebhookCall, type WebhookClient } from './webhooks/client.ts';
export type { ResolveService } from './webhooks/resolve.ts';

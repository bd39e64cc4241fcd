/** Admission before a write is stored, by functions in this process or by webhooks over HTTPS. */
export { composeAdmission, composeInOrder, type ReinvocableAdmission } from './compose.ts';
export type { DenialStatus } from './denial.ts';
export { type AdmissionFunction, createFunctionAdmission, type MutationAnswer, type Refusal, type ValidationAnswer } from './functions.ts';
export type { ServedResources } from './object-converter.ts';
export { createPolicyAdmission, type PolicyAdmission, type PolicyAdmissionOptions } from './policies/policies.ts';
export type { ReinvocationState } from './reinvocation.ts';
export type { Rule } from './rules.ts';
export { createWebhookAdmission, type WebhookAdmission, type WebhookAdmissionOptions } from './webhooks/admission.ts';

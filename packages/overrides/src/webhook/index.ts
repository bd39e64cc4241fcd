/** An admission webhook for rules that override endpoints: HTTPS, reload of rules and certificates, metrics. Requires Node.js. */
export { mutatingWebhookConfiguration, webhookManifests } from './manifests.ts';
export type { WebhookMetrics } from './metrics.ts';
export type { WebhookEvent, WebhookLimits, WebhookOptions } from './options.ts';
export { followWebhookFiles, loadWebhookFiles } from './reload.ts';
export { RuleFilesError, readRuleFiles } from './rule-files.ts';
export { createWebhookServer, type WebhookServer } from './server.ts';

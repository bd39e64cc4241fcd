/** An admission webhook for rules that override endpoints: HTTPS, reload of rules and certificates, metrics. Needs Node.js. */
export { type SteadyClock, systemClock } from 'kube-endpoints/port';
export {
  type ConfigurationOptions,
  type Manifest,
  type ManifestOptions,
  mutatingWebhookConfiguration,
  webhookManifests,
} from './manifests.ts';
export type { WebhookMetrics } from './metrics.ts';
export type {
  FailurePolicy,
  LookUp,
  PolicyReason,
  ServingFiles,
  TellWebhook,
  WebhookHappening,
  WebhookLimits,
  WebhookOptions,
} from './options.ts';
export {
  followWebhookFiles,
  type Loaded,
  loadWebhookFiles,
  type Reloading,
  type ReloadOptions,
  type WebhookFiles,
} from './reload.ts';
export { type RuleFile, RuleFilesError, readRuleFiles } from './rule-files.ts';
export { type CloseOptions, createWebhookServer, type WebhookServer } from './server.ts';

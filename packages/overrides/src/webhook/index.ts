/** An admission webhook for rules that override endpoints: HTTPS, reload of rules and certificates, metrics. Needs Node.js. */
export { type SteadyClock, systemClock } from 'kube-endpoints/port';
export type { PolicyReason, TellWebhook, WebhookHappening } from './happening.ts';
export {
  type ConfigurationOptions,
  type Manifest,
  type ManifestOptions,
  mutatingWebhookConfiguration,
  webhookManifests,
} from './manifests/index.ts';
export type { WebhookMetrics } from './metrics.ts';
export type { FailurePolicy, LookUp, ServingFiles, WebhookLimits, WebhookOptions } from './options.ts';
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

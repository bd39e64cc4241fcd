import { dns1035Label } from '../../../formats/names.ts';
import type { Causes } from '../../../resources/field/causes.ts';
import { validateClientConfig } from '../../../resources/webhooks/client-config.ts';
import { addInvalidValue } from '../../validation/problem.ts';
import type { DefinitionSpec } from '../definition.ts';

/**
 * Mirrors validateCustomResourceConversion (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36). The field paths are those of
 * upstream's internal type: webhookClientConfig instead of webhook.clientConfig.
 */
export function validateConversion({ conversion, preserveUnknownFields }: DefinitionSpec, causes: Causes): void {
  if (!conversion) return;
  const { strategy = '', webhook } = conversion;
  const field = 'spec.conversion';
  if (strategy !== 'None' && preserveUnknownFields === true) {
    causes.invalid(`${field}.strategy`, strategy, 'must be None if spec.preserveUnknownFields is true');
  }
  if (strategy === '') causes.required(`${field}.strategy`);
  else if (strategy !== 'None' && strategy !== 'Webhook') causes.notSupported(`${field}.strategy`, strategy, ['None', 'Webhook']);
  const { clientConfig, conversionReviewVersions = [] } = webhook ?? {};
  if (strategy !== 'Webhook') {
    const detail = 'should not be set when strategy is not set to Webhook';
    if (clientConfig) causes.forbidden(`${field}.webhookClientConfig`, detail);
    if (conversionReviewVersions.length > 0) causes.forbidden(`${field}.conversionReviewVersions`, detail);
    return;
  }
  if (!clientConfig) causes.required(`${field}.webhookClientConfig`, 'required when strategy is set to Webhook');
  else validateClientConfig(clientConfig, `${field}.webhookClientConfig`, causes);
  validateReviewVersions(conversionReviewVersions, `${field}.conversionReviewVersions`, causes);
}

function validateReviewVersions(versions: readonly string[], field: string, causes: Causes): void {
  if (versions.length === 0) {
    causes.required(field);
    return;
  }
  for (const [i, version] of versions.entries()) {
    if (versions.indexOf(version) < i) causes.invalid(`${field}[${i}]`, version, 'duplicate version');
    else for (const message of dns1035Label(version)) causes.invalid(`${field}[${i}]`, version, message);
  }
  if (!versions.some((version) => version === 'v1' || version === 'v1beta1')) {
    addInvalidValue(causes, field, versions, 'must include at least one of v1, v1beta1');
  }
}

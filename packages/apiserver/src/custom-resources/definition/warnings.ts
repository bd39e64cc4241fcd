import { isKnownFormat } from '../../formats/strfmt.ts';
import { compileRules, rulesIn } from '../rules/index.ts';
import { schemasIn } from '../schema/schema.ts';
import { type Definition, versionsOf } from './definition.ts';

/**
 * Warnings about a valid definition: unknown formats, as in the real server, and features that this server stores but does not implement.
 */
export function definitionWarnings(definition: Definition, old?: Definition): readonly string[] {
  const known = new Set(old && unknownFormats(old));
  const left = new Set(old && unevaluated(old));
  const formats = unknownFormats(definition).filter((format) => !known.has(format));
  return [
    ...formats.map((format) => `unrecognized format ${JSON.stringify(format)}`),
    ...unevaluated(definition).filter((warning) => !left.has(warning)),
    ...(needsWebhook(definition) && !(old && needsWebhook(old)) ? [webhooksAreNotCalled] : []),
  ];
}

export const webhooksAreNotCalled =
  'spec.conversion: this server calls no conversion webhooks, and refuses whatever has to be converted from one version to another';

export const needsWebhook = ({ spec }: Definition): boolean => spec?.conversion?.strategy === 'Webhook';

/** Equal schemas of all versions are reported once, because the real server stores them once. */
function unknownFormats(definition: Definition): readonly string[] {
  const roots = versionsOf(definition).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  const distinct = new Set(roots.map((root) => JSON.stringify(root))).size === 1 ? roots.slice(0, 1) : roots;
  return distinct.flatMap((root) =>
    [...schemasIn(root)].flatMap(({ format, type = '' }) => (format !== undefined && !isKnownFormat(format, type) ? [format] : [])),
  );
}

/** Rules that need CEL features that this server lacks. */
function unevaluated(definition: Definition): readonly string[] {
  const rules = versionsOf(definition).flatMap(({ schema }) => {
    const root = schema?.openAPIV3Schema && compileRules(schema.openAPIV3Schema)?.root;
    return root ? rulesIn(root) : [];
  });
  const texts = rules.flatMap(({ rule, missing }) =>
    missing === undefined ? [] : [`x-kubernetes-validations: this server has no ${missing}: not evaluated: ${JSON.stringify(rule.rule)}`],
  );
  return [...new Set(texts)];
}

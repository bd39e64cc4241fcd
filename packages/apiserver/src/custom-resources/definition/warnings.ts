import { isKnownFormat } from '../../formats/strfmt.ts';
import { writeJson } from '../../store/json.ts';
import { compileRules, rulesIn } from '../rules/index.ts';
import { schemasIn } from '../schema/schema.ts';
import { type Definition, versionsOf } from './definition.ts';

/**
 * Returns warnings about a valid definition: unknown formats, as in kube-apiserver, and features that this server stores but does not implement.
 * Repeats no warning that the old definition already caused.
 */
export function findDefinitionWarnings(definition: Definition, old?: Definition): readonly string[] {
  const oldFormats = new Set(old && findUnknownFormats(old));
  const oldWarnings = new Set(old && findUnsupportedRuleWarnings(old));
  const formats = findUnknownFormats(definition).filter((format) => !oldFormats.has(format));
  return [
    ...formats.map((format) => `unrecognized format ${JSON.stringify(format)}`),
    ...findUnsupportedRuleWarnings(definition).filter((warning) => !oldWarnings.has(warning)),
  ];
}

/** Finds unknown formats. If all versions have the same schema, searches it once, because kube-apiserver stores it once. */
function findUnknownFormats(definition: Definition): readonly string[] {
  const roots = versionsOf(definition).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  const distinctRoots = new Set(roots.map((root) => writeJson(root))).size === 1 ? roots.slice(0, 1) : roots;
  return distinctRoots.flatMap((root) =>
    [...schemasIn(root)].flatMap(({ format, type = '' }) => (format !== undefined && !isKnownFormat(format, type) ? [format] : [])),
  );
}

/** Returns warnings for rules that need CEL features that this server lacks. */
function findUnsupportedRuleWarnings(definition: Definition): readonly string[] {
  const rules = versionsOf(definition).flatMap(({ schema }) => {
    const root = schema?.openAPIV3Schema && compileRules(schema.openAPIV3Schema)?.root;
    return root ? rulesIn(root) : [];
  });
  const warnings = rules.flatMap(({ rule, unsupportedFeature }) =>
    unsupportedFeature === undefined
      ? []
      : [`x-kubernetes-validations: this server has no ${unsupportedFeature}: not evaluated: ${JSON.stringify(rule.rule)}`],
  );
  return [...new Set(warnings)];
}

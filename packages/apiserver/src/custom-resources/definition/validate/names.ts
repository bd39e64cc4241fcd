import { dns1035Label } from '../../../formats/names.ts';
import type { Causes } from '../../../resources/field/causes.ts';
import type { DefinitionNames } from '../definition.ts';

/** Mirrors ValidateCustomResourceDefinitionNames (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36). */
export function validateNames(names: DefinitionNames, field: string, causes: Causes): void {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames = [], categories = [] } = names;
  const validateLabel = (value: string, subfield: string): void => {
    const messages = dns1035Label(value);
    if (messages.length > 0) causes.invalid(`${field}.${subfield}`, value, messages.join(','));
  };
  const validateMixedCase = (value: string, subfield: string): void => {
    const messages = dns1035Label(value.toLowerCase());
    if (messages.length > 0)
      causes.invalid(`${field}.${subfield}`, value, `may have mixed case, but should otherwise match: ${messages.join(',')}`);
  };
  if (plural !== '') validateLabel(plural, 'plural');
  if (singular !== '') validateLabel(singular, 'singular');
  if (kind !== '') validateMixedCase(kind, 'kind');
  if (listKind !== '') validateMixedCase(listKind, 'listKind');
  for (const [i, shortName] of shortNames.entries()) validateLabel(shortName, `shortNames[${i}]`);
  if (kind !== '' && kind === listKind) causes.invalid(`${field}.listKind`, listKind, 'kind and listKind may not be the same');
  for (const [i, category] of categories.entries()) validateLabel(category, `categories[${i}]`);
}

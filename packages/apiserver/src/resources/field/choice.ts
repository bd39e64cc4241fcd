import type { Format } from '../../formats/names.ts';
import { asJson, type Causes } from './causes.ts';
import { type Fields, has, text } from './read.ts';

/** A text that has to be one of a few. Go keeps such texts in types of their own. */
export function validateChoice(object: Fields, name: string, field: string, choices: readonly string[], causes: Causes): void {
  if (has(object, name) && !choices.includes(text(object, name))) causes.notSupported(field, asJson(text(object, name)), choices);
}

/** The same where it has to be there. */
export function validateNeededChoice(object: Fields, name: string, field: string, choices: readonly string[], causes: Causes): void {
  if (text(object, name) === '') causes.required(field);
  else validateChoice(object, name, field, choices, causes);
}

/** A text of a format, one cause for each message. */
export function validateFormat(value: string, format: Format, field: string, causes: Causes): void {
  for (const message of format(value)) causes.invalid(field, value, message);
}

import * as library from '@marcbachmann/cel-js';
import { describe, expect, test } from 'vitest';
import * as names from '../../../apiserver/src/formats/names.ts';
import { formats } from '../../../apiserver/src/formats/strfmt.ts';
import { isDate, isDateTime } from '../../../apiserver/src/formats/times.ts';
import { namedFormatFunctions } from '../../src/functions/formats.ts';
import { createValueMaker } from '../../src/internal.ts';
import { createEvaluator, findDifferences } from '../replay.ts';

const check = (name: string) => formats.get(name) as (text: string) => boolean;
const texts = { uuid: check('uuid'), byte: check('byte'), date: isDate, datetime: isDateTime };
const functions = namedFormatFunctions(createValueMaker(library), { names, texts });
const longLength = 2 ** 18;
const evaluate = createEvaluator([functions]);

describe('named formats', () => {
  test('agree with Kubernetes, except for the bare namespace name', () => {
    expect(Object.keys(findDifferences('formats', functions))).toEqual(['format']);
  });

  test.each(['a', '-', 'a.', 'a/', '1', 'é', 'T', ' ', '='])('are checked quickly for a long string of %s', (each) => {
    const text = `${each.repeat(longLength / each.length)}!-`;
    const formatNames = [
      'dns1123LabelPrefix',
      'dns1123SubdomainPrefix',
      'dns1035LabelPrefix',
      'qualifiedName',
      'labelValue',
      'uri',
      'uuid',
      'byte',
      'date',
      'datetime',
    ];
    for (const name of formatNames) expect(evaluate(`format.${name}().validate(given).hasValue()`, text)).toEqual({ value: true });
  });
});

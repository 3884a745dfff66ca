import { Answer } from './answers.js';
import { fieldType, PLAIN_TEXT, RequestBody, Text } from './fields.js';
import { Validate, text } from './rules.js';

/** Maximum length of names and values of custom pairs. */
export const PAIR_NAME_MAX = 40;
export const PAIR_VALUE_MAX = 255;

const Name = fieldType(
  { type: 'string', minLength: 1, maxLength: PAIR_NAME_MAX, pattern: PLAIN_TEXT },
  Validate(text({ min: 1, max: PAIR_NAME_MAX })),
);

@RequestBody('OptionalFieldOfOrders', 'An optional field that orders have, and its whole value.')
export class OptionalFieldRequest {
  @Name('The name of the field, such as `shop`.')
  key: string;

  @Text('Its value, such as `berlin`.', { max: PAIR_VALUE_MAX })
  value: string;
}

@Answer('OptionalField', 'An optional field that orders have, and its whole value.')
export class OptionalFieldResponse {
  @Text('The name of the field.') key: string;
  @Text('Its value.') value: string;
}

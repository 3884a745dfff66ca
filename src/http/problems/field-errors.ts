/** Codes of `errors[]` inside `validation_failed`; each has a page of its own too. */
export const FIELD_ERRORS = {
  required: 'The field must be there.',
  unknown_member:
    'The field is not part of the request. Misspelt fields are refused rather than ignored.',
  wrong_type: 'The value has the wrong JSON type.',
  wrong_format: 'The value is not written as the field asks.',
  too_short: 'The value has too few characters.',
  too_long: 'The value has too many characters or entries.',
  out_of_range: 'The number is too small or too large.',
  control_character:
    'The text has control characters such as NUL or a line break, or a name has marks that turn the direction of writing.',
  not_well_formed: 'The text has half of a surrogate pair and is not Unicode.',
  unknown_currency: 'The currency is not a current ISO 4217 code that can be charged.',
  card_data_refused:
    'The text has a payment card number. Card data must never be sent to this service.',
  https_required: 'The address must begin with https:// in live mode.',
  address_refused:
    'The address cannot receive webhooks: it is not written plainly, leads to a network that is not public, or to nothing.',
  field_not_in_this_version:
    'The field came with a later version of the contract than the one selected.',
} as const satisfies Record<string, string>;

export type FieldErrorCode = keyof typeof FIELD_ERRORS;

export const isFieldErrorCode = (code: string): code is FieldErrorCode =>
  Object.hasOwn(FIELD_ERRORS, code);

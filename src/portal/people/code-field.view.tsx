import { FormField } from '../kit/form-components.js';

/** Field for an authenticator code or a recovery code. */
export const CodeField = () => (
  <FormField
    name="code"
    label="Code"
    hint="Six digits from your authenticator app, or one of your recovery codes."
    autocomplete="one-time-code"
    maxLength={20}
    isFocused
  />
);

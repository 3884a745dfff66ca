import { Field } from '../layout/parts.js';
import { PASSWORD_MAX, PASSWORD_MIN } from './password-rules.js';
import type { Problems } from './security.service.js';

interface NewPasswordProps {
  readonly problems: Problems<'fresh' | 'again'>;
  readonly isFocused?: boolean;
}

/** Asked for twice: a slip would lock the user out. */
export const NewPassword = ({ problems, isFocused = false }: NewPasswordProps) => (
  <>
    <Field
      name="fresh"
      label="New password"
      hint={`At least ${PASSWORD_MIN} characters. Several unusual words are good.`}
      type="password"
      autocomplete="new-password"
      maxLength={PASSWORD_MAX}
      problem={problems.fresh}
      isFocused={isFocused}
    />
    <Field
      name="again"
      label="New password again"
      type="password"
      autocomplete="new-password"
      maxLength={PASSWORD_MAX}
      problem={problems.again}
    />
  </>
);

import { PASSWORD_MAX, PASSWORD_MIN } from '../../people/passwords/password-rules.js';
import type { SecurityProblems } from '../../people/security.service.js';
import { FormField } from '../kit/form-components.js';

interface NewPasswordProps {
  readonly problems: SecurityProblems<'fresh' | 'again'>;
  readonly isFocused?: boolean;
}

/** Asks twice: a typo would lock the user out. */
export const NewPassword = ({ problems, isFocused = false }: NewPasswordProps) => (
  <>
    <FormField
      name="fresh"
      label="New password"
      hint={`At least ${PASSWORD_MIN} characters, for example several unusual words.`}
      type="password"
      autocomplete="new-password"
      maxLength={PASSWORD_MAX}
      problem={problems.fresh}
      isFocused={isFocused}
    />
    <FormField
      name="again"
      label="Repeat new password"
      type="password"
      autocomplete="new-password"
      maxLength={PASSWORD_MAX}
      problem={problems.again}
    />
  </>
);

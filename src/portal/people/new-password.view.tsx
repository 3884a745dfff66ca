import { PASSWORD_MAX, PASSWORD_MIN } from '../../people/passwords/password-rules.js';
import type { SecurityProblems } from '../../people/security.service.js';
import { FormField } from '../kit/form-components.js';

interface NewPasswordProps {
  readonly problems: SecurityProblems<'fresh' | 'again'>;
  readonly isFocused?: boolean;
}

/** Asked for twice: a slip would lock the user out. */
export const NewPassword = ({ problems, isFocused = false }: NewPasswordProps) => (
  <>
    <FormField
      name="fresh"
      label="New password"
      hint={`At least ${PASSWORD_MIN} characters. Several unusual words are good.`}
      type="password"
      autocomplete="new-password"
      maxLength={PASSWORD_MAX}
      problem={problems.fresh}
      isFocused={isFocused}
    />
    <FormField
      name="again"
      label="New password again"
      type="password"
      autocomplete="new-password"
      maxLength={PASSWORD_MAX}
      problem={problems.again}
    />
  </>
);

import { FRESH_FOR } from '../../common/second-factor.js';
import type { SecondFactorRequired } from '../../people/second-factor/step-up.js';
import { WRONG_CODE } from '../../people/security.service.js';
import { Notice, PostForm } from '../kit/form-components.js';
import { renderBarePage } from '../layout/shell.view.js';
import { CodeField } from './code-field.view.js';

/** Fields added by this page. */
const OURS = ['csrf', 'code'];

/** Resubmits the same form to the same URL, together with a code. */
export const renderStepUp = ({ csrf, form, isWrong }: SecondFactorRequired): string =>
  renderBarePage({
    title: 'Confirm your identity',
    children: (
      <PostForm csrf={csrf}>
        {isWrong && <Notice kind="bad">{WRONG_CODE}</Notice>}
        <p>
          Enter a code from your authenticator app to confirm. You are not asked again for{' '}
          {FRESH_FOR}. Nothing has been changed yet.
        </p>
        {[...form]
          .filter(([name]) => !OURS.includes(name))
          .map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
        <CodeField />
        <button class="btn btn-primary w-100">Continue</button>
        <p class="mt-3 mb-0 text-center">
          <a href="/portal">Cancel</a>
        </p>
      </PostForm>
    ),
  });

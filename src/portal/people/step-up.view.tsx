import { FRESH_FOR } from '../../common/second-factor.js';
import type { CodeOwed } from '../../people/second-factor/step-up.js';
import { WRONG_CODE } from '../../people/security.service.js';
import { Notice, PostForm } from '../kit/form-components.js';
import { renderBarePage } from '../layout/shell.view.js';
import { CodeField } from './code-field.view.js';

/** What the page adds itself. */
const OURS = ['csrf', 'code'];

/** Sends the same form again, to the same address, with a code. */
export const renderStepUp = ({ csrf, form, isWrong }: CodeOwed): string =>
  renderBarePage({
    title: 'Confirm that it is you',
    children: (
      <PostForm csrf={csrf}>
        {isWrong && <Notice kind="bad">{WRONG_CODE}</Notice>}
        <p>
          This decides who has access, where money goes, or what payers and programs are told, so it
          takes a code of the last {FRESH_FOR}. Nothing is changed yet.
        </p>
        {[...form]
          .filter(([name]) => !OURS.includes(name))
          .map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
        <CodeField />
        <button class="btn btn-primary w-100">Continue</button>
        <p class="mt-3 mb-0 text-center">
          <a href="/portal">Change nothing</a>
        </p>
      </PostForm>
    ),
  });

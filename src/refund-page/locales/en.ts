import type { RefundPageMessages } from '../messages.js';

export const en: RefundPageMessages = {
  title: 'Your refund',
  why: '{merchant} pays you {amount} back. The bank did not tell us from which account you paid, so please enter where the money should go.',
  holder: 'Account holder',
  iban: 'IBAN',
  once: 'Please check your entry: it cannot be changed afterwards.',
  send: 'Send the refund to this account',
  faults: {
    holder: 'Please enter the name of the account holder, with at most 70 characters.',
    iban: 'This is not a valid IBAN. Please compare it with your bank card or a statement.',
    unreachable:
      'This account cannot receive euro transfers. Please enter an account of a bank in the SEPA area.',
  },
  entered: {
    title: 'Thank you',
    text: '{amount} will go to the account {account}. After a check of at least one day, the transfer usually takes one to two bank days.',
    warning: 'If you did not enter this account, please contact {merchant} at once.',
  },
  sent: { title: 'Your refund was sent', text: '{amount} was sent to the account {account}.' },
  ended: {
    title: 'This refund has ended',
    text: 'No account can be entered here any more. If you still expect money, please contact {merchant}.',
  },
};

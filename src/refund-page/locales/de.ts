import type { RefundPageMessages } from '../messages.js';

export const de: RefundPageMessages = {
  title: 'Ihre Erstattung',
  why: '{merchant} zahlt Ihnen {amount} zurück. Die Bank hat uns nicht mitgeteilt, von welchem Konto Sie gezahlt haben. Bitte geben Sie an, wohin das Geld gehen soll.',
  holder: 'Kontoinhaber',
  iban: 'IBAN',
  once: 'Bitte prüfen Sie Ihre Angaben: Sie lassen sich danach nicht mehr ändern.',
  send: 'Auf dieses Konto erstatten',
  faults: {
    holder: 'Bitte geben Sie den Namen des Kontoinhabers mit höchstens 70 Zeichen ein.',
    iban: 'Das ist keine gültige IBAN. Bitte vergleichen Sie sie mit Ihrer Bankkarte oder einem Kontoauszug.',
    unreachable:
      'Dieses Konto kann keine Überweisungen in Euro empfangen. Bitte geben Sie ein Konto bei einer Bank im SEPA-Raum an.',
  },
  entered: {
    title: 'Vielen Dank',
    text: '{amount} gehen auf das Konto {account}. Nach einer Prüfung von mindestens einem Tag dauert die Überweisung meist ein bis zwei Bankarbeitstage.',
    warning:
      'Wenn Sie dieses Konto nicht angegeben haben, wenden Sie sich bitte sofort an {merchant}.',
  },
  sent: {
    title: 'Ihre Erstattung ist unterwegs',
    text: '{amount} wurden auf das Konto {account} überwiesen.',
  },
  ended: {
    title: 'Diese Erstattung ist beendet',
    text: 'Hier kann kein Konto mehr angegeben werden. Wenn Sie noch Geld erwarten, wenden Sie sich bitte an {merchant}.',
  },
};

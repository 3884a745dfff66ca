import type { Messages } from '../messages.js';

export const de: Messages = {
  testBanner: 'Dies ist eine Testseite. Es fließt kein Geld.',
  order: 'Bestellung {id}',
  pay: '{amount} bezahlen',
  payBy: 'Bitte bis {time} bezahlen',
  askedUntil: 'Wir fragen bei der Bank nach, längstens bis {time}.',
  timeLeft: 'noch {time}',
  fiveMinutes: 'Noch 5 Minuten Zeit zum Bezahlen.',
  oneMinute: 'Noch 1 Minute Zeit zum Bezahlen.',
  chooseMethod: 'Wie möchten Sie bezahlen?',
  continueAtBank: 'Weiter zur Bank',
  cancel: 'Bestellung stornieren',
  cancelWarning: 'Die Bestellung wird geschlossen und kann nicht mehr bezahlt werden.',
  cancelYes: 'Ja, Bestellung stornieren',
  back: 'Zurück zu {merchant}',
  leaving: 'In {seconds} s geht es zurück zu {merchant}.',
  stay: 'Auf dieser Seite bleiben',
  questions: 'Fragen? {contact}',
  progress: 'Fortschritt',
  steps: ['Bezahlen', 'Bank bestätigt', 'Fertig'],
  language: 'Sprache',
  transfer: {
    scan: 'Mit der Banking-App scannen: Sie füllt die ganze Überweisung aus.',
    code: 'QR-Code mit den Angaben der Überweisung',
    holder: 'Empfänger',
    account: 'Kontonummer',
    amount: 'Betrag',
    reference: 'Verwendungszweck',
    onlyReference: 'Bitte genau so angeben, damit wir Ihre Zahlung erkennen.',
    lastDay: 'Eingang bis',
    copy: 'Kopieren',
    copied: 'Kopiert',
    looks: 'Wir sehen an jedem Bankarbeitstag auf unserem Konto nach.',
    looksSince: 'Wir sehen an jedem Bankarbeitstag auf unserem Konto nach, zuletzt am {day}.',
    stays:
      'Diese Seite aktualisiert sich von selbst. Sie können sie schließen und jederzeit wiederkommen.',
    another: 'Anders bezahlen',
    cancelWarning: 'Wenn Sie schon überwiesen haben, stornieren Sie bitte nicht.',
    tooLate:
      'Bitte überweisen Sie dafür kein Geld mehr. Falls Sie es schon getan haben, erfährt {merchant}, wenn es ankommt.',
  },
  states: {
    open: {
      title: 'Ihre Zahlung',
      happened: '',
      next: 'Im nächsten Schritt bestätigen Sie die Zahlung bei Ihrer Bank.',
    },
    processing: {
      title: 'Wir warten auf Ihre Zahlung',
      happened: 'Ihre Zahlung wurde begonnen, ist aber noch nicht bestätigt.',
      next: 'Bitte bestätigen Sie sie bei Ihrer Bank. Haben Sie das schon getan, warten Sie einfach einen Moment: Diese Seite aktualisiert sich von selbst.',
    },
    awaiting_transfer: {
      title: 'Bitte überweisen',
      happened: '',
      next: 'Überweisen Sie bei Ihrer Bank mit diesen Angaben. Das Geld kommt meist am nächsten Bankarbeitstag an.',
    },
    unknown: {
      title: 'Wir prüfen Ihre Zahlung',
      happened: 'Wir haben noch keine eindeutige Antwort der Bank.',
      next: 'Bitte bezahlen Sie nicht noch einmal. Diese Seite aktualisiert sich von selbst; Sie können sie auch beruhigt schließen.',
    },
    paid: {
      title: 'Bezahlt',
      happened: 'Vielen Dank! Ihre Zahlung ist angekommen.',
      next: '{merchant} weiß Bescheid. Sie können diese Seite schließen.',
    },
    overpaid: {
      title: 'Bezahlt – mehr als nötig',
      happened: 'Vielen Dank! Wir haben {received} erhalten, die Bestellung kostete {amount}.',
      next: '{merchant} weiß von der Differenz. Bitte wenden Sie sich dorthin, um sie zurückzubekommen.',
    },
    underpaid: {
      title: 'Ein Teil des Betrags fehlt noch',
      happened: 'Wir haben {received} von {amount} erhalten. Vielen Dank!',
      next: 'Bitte bezahlen Sie die restlichen {due}, um die Bestellung abzuschließen.',
    },
    paid_late: {
      title: 'Ihr Geld ist angekommen',
      happened: 'Ihre Zahlung hat uns erreicht, diese Bestellung ist aber bereits geschlossen.',
      next: '{merchant} weiß Bescheid. Bitte bezahlen Sie nicht noch einmal und klären Sie dort, wie es weitergeht.',
    },
    charged_back: {
      title: 'Ihre Zahlung wurde zurückgeholt',
      happened: 'Ihre Bank hat die Zahlung für diese Bestellung ganz oder zum Teil zurückgeholt.',
      next: '{merchant} weiß Bescheid. Bitte klären Sie dort, wie Sie bezahlen können.',
    },
    declined: {
      title: 'Die Zahlung hat nicht geklappt',
      happened: 'Es wurde kein Geld abgebucht.',
      next: 'Sie können es noch einmal versuchen oder von einem anderen Konto bezahlen.',
    },
    failed: {
      title: 'Die Zahlung hat nicht geklappt',
      happened: 'Es wurde kein Geld abgebucht, und ein weiterer Versuch ist nicht möglich.',
      next: 'Bitte bestellen Sie bei {merchant} neu oder fragen Sie dort um Hilfe.',
    },
    cancelled: {
      title: 'Bestellung storniert',
      happened: 'Diese Bestellung wurde storniert. Es wurde kein Geld abgebucht.',
      next: 'Wenn Sie doch kaufen möchten, bestellen Sie bitte bei {merchant} neu.',
    },
    expired: {
      title: 'Die Zeit zum Bezahlen ist abgelaufen',
      happened: 'Diese Bestellung wurde nicht rechtzeitig bezahlt. Es wurde kein Geld abgebucht.',
      next: 'Wenn Sie doch kaufen möchten, bestellen Sie bitte bei {merchant} neu.',
    },
  },
  declines: {
    insufficient_funds: 'Das Konto ist für diese Zahlung nicht ausreichend gedeckt.',
    limit_exceeded: 'Die Zahlung übersteigt das Limit des Kontos.',
    account_blocked: 'Das Konto oder die Karte ist gesperrt.',
    authentication_failed: 'Die Zahlung konnte nicht bestätigt werden.',
    cancelled_by_payer: 'Die Zahlung wurde bei der Bank abgebrochen.',
    timeout: 'Die Bank hat nicht rechtzeitig geantwortet.',
    declined: 'Die Bank hat die Zahlung abgelehnt.',
  },
  pages: {
    not_found: {
      title: 'Seite nicht gefunden',
      text: 'Unter dieser Adresse gibt es keine Zahlungsseite. Bitte prüfen Sie den Link oder öffnen Sie ihn noch einmal aus dem Shop.',
    },
    unavailable: {
      title: 'Bitte versuchen Sie es gleich noch einmal',
      text: 'Die Zahlungsseite kann gerade nicht angezeigt werden. Wenn Sie schon bezahlt haben, bezahlen Sie bitte nicht noch einmal.',
    },
    too_many_requests: {
      title: 'Einen Moment, bitte',
      text: 'Von Ihrem Anschluss kamen zu viele Anfragen. Bitte warten Sie eine Minute und laden Sie die Seite dann neu.',
    },
  },
};

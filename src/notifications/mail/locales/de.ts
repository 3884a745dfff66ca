import type { MailMessages } from '../messages.js';

export const de: MailMessages = {
  testMode: 'Testmodus: Es ist kein Geld geflossen.',
  paid: {
    title: 'Zahlung eingegangen',
    text: 'Eine Bestellung bei {merchant} wurde bezahlt.',
    subject: '{amount} für Bestellung {order} eingegangen',
    order: 'Bestellung',
    txid: 'Vorgang',
    amount: 'Betrag',
    received: 'Eingegangen',
    method: 'Bezahlt mit',
    payer: 'Zahlende Person',
    account: 'Konto',
    time: 'Bezahlt am',
    description: 'Beschreibung',
    fields: 'Aus Ihrem Shop',
    exceptions: {
      underpaid: 'Es ist weniger Geld eingegangen als gefordert.',
      overpaid: 'Es ist mehr Geld eingegangen als gefordert. Bitte erstatten Sie die Differenz.',
      paid_late:
        'Das Geld kam, als die Bestellung schon geschlossen war. Bitte prüfen Sie die Bestellung.',
      duplicate_payment:
        'Die Bestellung wurde mehr als einmal bezahlt. Bitte erstatten Sie, was zu viel ist.',
      wrong_currency: 'Das Geld kam in einer anderen Währung an. Bitte prüfen Sie die Bestellung.',
      charged_back:
        'Die Bank des Zahlers hat das Geld zurückgeholt. Bitte prüfen Sie die Bestellung.',
    },
  },
  confirm: {
    title: 'Möchten Sie diese E-Mails?',
    text: '{merchant} möchte {email} über jede bezahlte Bestellung informieren.',
    subject: 'Bitte bestätigen: E-Mails zu Bestellungen bei {merchant}',
    otherwise: 'Wenn Sie das nicht erwarten, müssen Sie nichts tun: Es folgt keine weitere E-Mail.',
    button: 'Ansehen und bestätigen',
    why: 'Diese E-Mail wurde gesendet, weil {merchant} die Adresse {email} eingetragen hat.',
  },
  sample: {
    title: 'Ihre E-Mails kommen an',
    text: 'E-Mails zu bezahlten Bestellungen bei {merchant} erreichen Sie so wie diese.',
    subject: 'Test-E-Mail von {merchant}',
  },
  endpoint: {
    address: 'Endpunkt',
    since: 'Gestört seit',
    failing: {
      hour: 'Webhooks schlagen seit einer Stunde fehl',
      day: 'Webhooks schlagen seit einem Tag fehl',
      text: 'Ein Webhook-Endpunkt von {merchant} nimmt keine Ereignisse an.',
      next: 'Wir versuchen es weiter. Nach fünf Tagen ohne Erfolg wird der Endpunkt abgeschaltet.',
    },
    disabled: {
      title: 'Ein Webhook-Endpunkt wurde abgeschaltet',
      text: 'Dieser Endpunkt von {merchant} hat seit Tagen keine Ereignisse angenommen, deshalb wird nichts mehr an ihn gesendet.',
      gone: 'Dieser Endpunkt von {merchant} hat geantwortet, dass es ihn nicht mehr gibt, deshalb wird nichts mehr an ihn gesendet.',
      next: 'Kein Ereignis geht verloren: Schalten Sie den Endpunkt wieder ein, sobald er funktioniert, und lassen Sie die fehlenden Ereignisse erneut senden.',
    },
  },
  why: 'Sie erhalten diese E-Mail, weil {email} für E-Mails zu Bestellungen bei {merchant} bestätigt ist.',
  unsubscribe: 'Abmelden',
  pages: {
    unconfirmed: {
      title: 'Möchten Sie diese E-Mails?',
      text: '{merchant} möchte {email} über jede bezahlte Bestellung informieren.',
      confirm: 'Ja, bitte senden',
      decline: 'Nein, danke',
    },
    confirmed: {
      title: 'E-Mails sind eingeschaltet',
      text: '{email} erhält eine E-Mail zu jeder bezahlten Bestellung bei {merchant}.',
      unsubscribe: 'Keine E-Mails mehr senden',
    },
    unsubscribed: {
      title: 'E-Mails sind ausgeschaltet',
      text: '{email} erhält keine E-Mails mehr zu Bestellungen bei {merchant}.',
      confirm: 'Wieder einschalten',
    },
    not_found: {
      title: 'Seite nicht gefunden',
      text: 'Unter dieser Adresse gibt es nichts. Vielleicht ist der Link veraltet.',
    },
    unavailable: {
      title: 'Bitte versuchen Sie es gleich noch einmal',
      text: 'Die Seite kann gerade nicht angezeigt werden.',
    },
    too_many_requests: {
      title: 'Einen Moment, bitte',
      text: 'Von Ihrer Verbindung kamen zu viele Anfragen. Bitte warten Sie eine Minute und versuchen Sie es noch einmal.',
    },
  },
};

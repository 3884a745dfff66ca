import type { MailMessages } from '../messages.js';

export const nl: MailMessages = {
  testMode: 'Testmodus: er is geen geld verplaatst.',
  paid: {
    title: 'Betaling ontvangen',
    text: 'Een bestelling bij {merchant} is betaald.',
    subject: '{amount} ontvangen voor bestelling {order}',
    order: 'Bestelling',
    txid: 'Transactie',
    amount: 'Bedrag',
    received: 'Ontvangen',
    method: 'Betaald met',
    payer: 'Betaler',
    account: 'Rekening',
    time: 'Betaald op',
    description: 'Omschrijving',
    fields: 'Van uw winkel',
    exceptions: {
      underpaid: 'Er is minder geld ontvangen dan het bedrag van de bestelling.',
      overpaid:
        'Er is meer geld ontvangen dan het bedrag van de bestelling. Betaal het verschil terug aan de betaler.',
      paid_late:
        'Het geld kwam binnen toen de bestelling al gesloten was. Controleer de bestelling.',
      duplicate_payment: 'De bestelling is meer dan één keer betaald. Betaal terug wat te veel is.',
      wrong_currency: 'Het geld kwam in een andere valuta binnen. Controleer de bestelling.',
      charged_back: 'De bank van de betaler heeft het geld teruggehaald. Controleer de bestelling.',
    },
  },
  confirm: {
    title: 'Wilt u deze e-mails ontvangen?',
    text: '{merchant} wil {email} bericht sturen over elke betaalde bestelling.',
    subject: 'Bevestig alstublieft: e-mails over bestellingen bij {merchant}',
    otherwise: 'Verwachtte u dit niet, dan hoeft u niets te doen: er volgt geen andere e-mail.',
    button: 'Bekijken en bevestigen',
    why: 'Deze e-mail is verstuurd omdat {merchant} het adres {email} heeft opgegeven.',
  },
  sample: {
    title: 'Uw e-mails komen aan',
    text: 'E-mails over betaalde bestellingen bij {merchant} bereiken u zoals deze.',
    subject: 'Test-e-mail van {merchant}',
  },
  endpoint: {
    address: 'Webhookadres',
    since: 'Mislukt sinds',
    failing: {
      hour: 'Webhooks mislukken al een uur',
      day: 'Webhooks mislukken al een dag',
      text: 'Een webhook van {merchant} neemt geen gebeurtenissen aan.',
      next: 'We blijven het proberen. Na vijf dagen zonder succes wordt de webhook uitgeschakeld.',
    },
    disabled: {
      title: 'Een webhook is uitgeschakeld',
      text: 'Deze webhook van {merchant} neemt al dagen geen gebeurtenissen aan, dus er wordt niets meer naartoe gestuurd.',
      gone: 'Deze webhook van {merchant} antwoordde dat hij niet meer bestaat, dus er wordt niets meer naartoe gestuurd.',
      next: 'Er gaat geen gebeurtenis verloren: zet de webhook weer aan zodra hij werkt en laat de ontbrekende gebeurtenissen opnieuw sturen.',
    },
  },
  why: 'U ontvangt dit omdat {email} is bevestigd voor e-mails over bestellingen bij {merchant}.',
  unsubscribe: 'Afmelden',
  pages: {
    unconfirmed: {
      title: 'Wilt u deze e-mails ontvangen?',
      text: '{merchant} wil {email} bericht sturen over elke betaalde bestelling.',
      confirm: 'Ja, stuur ze maar',
      decline: 'Nee, bedankt',
    },
    confirmed: {
      title: 'E-mails staan aan',
      text: '{email} krijgt een e-mail over elke betaalde bestelling bij {merchant}.',
      unsubscribe: 'Geen e-mails meer ontvangen',
    },
    unsubscribed: {
      title: 'E-mails staan uit',
      text: '{email} krijgt geen e-mails meer over bestellingen bij {merchant}.',
      confirm: 'Weer aanzetten',
    },
    not_found: {
      title: 'Pagina niet gevonden',
      text: 'Op dit adres is niets te vinden. Misschien is de link verouderd.',
    },
    unavailable: {
      title: 'Probeer het zo meteen opnieuw',
      text: 'De pagina kan nu niet worden getoond.',
    },
    too_many_requests: {
      title: 'Een ogenblik geduld',
      text: 'Er kwamen te veel verzoeken via uw verbinding. Wacht een minuut en probeer het opnieuw.',
    },
  },
};

import type { Messages } from '../messages.js';

export const nl: Messages = {
  testBanner: 'Dit is een testpagina. Er wordt geen geld overgemaakt.',
  order: 'Bestelling {id}',
  pay: '{amount} betalen',
  payBy: 'Graag betalen vóór {time}',
  askedUntil: 'We blijven het de bank vragen tot {time}.',
  timeLeft: 'nog {time}',
  fiveMinutes: 'U heeft nog 5 minuten om te betalen.',
  oneMinute: 'U heeft nog 1 minuut om te betalen.',
  chooseMethod: 'Hoe wilt u betalen?',
  continueAtBank: 'Verder bij de bank',
  cancel: 'Deze bestelling annuleren',
  cancelWarning: 'De bestelling wordt gesloten en kan niet meer worden betaald.',
  cancelYes: 'Ja, bestelling annuleren',
  back: 'Terug naar {merchant}',
  leaving: 'Over {seconds} s gaat u terug naar {merchant}.',
  stay: 'Op deze pagina blijven',
  questions: 'Vragen? {contact}',
  progress: 'Voortgang',
  steps: ['Betalen', 'Bank bevestigt', 'Klaar'],
  language: 'Taal',
  transfer: {
    scan: 'Scan met uw bankapp: die vult de hele overboeking in.',
    code: 'QR-code met de gegevens van de overboeking',
    holder: 'Ontvanger',
    account: 'Rekeningnummer',
    amount: 'Bedrag',
    reference: 'Betalingskenmerk',
    onlyReference: 'Vul precies dit in, zodat wij uw betaling herkennen.',
    lastDay: 'Ontvangst uiterlijk',
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    looks: 'Elke werkdag kijken we op onze rekening.',
    looksSince: 'Elke werkdag kijken we op onze rekening, voor het laatst op {day}.',
    stays: 'Deze pagina wordt vanzelf bijgewerkt. U kunt haar sluiten en altijd terugkomen.',
    another: 'Op een andere manier betalen',
    cancelWarning: 'Heeft u het geld al overgemaakt? Annuleer dan niet.',
    tooLate:
      'Maak hiervoor geen geld meer over. Heeft u dat al gedaan? Dan krijgt {merchant} bericht zodra het binnenkomt.',
  },
  states: {
    open: {
      title: 'Uw betaling',
      happened: '',
      next: 'In de volgende stap bevestigt u de betaling bij uw bank.',
    },
    processing: {
      title: 'We wachten op uw betaling',
      happened: 'Uw betaling is gestart, maar nog niet bevestigd.',
      next: 'Bevestig de betaling bij uw bank. Heeft u dat al gedaan? Wacht dan even: deze pagina wordt vanzelf bijgewerkt.',
    },
    awaiting_transfer: {
      title: 'Maak het bedrag over',
      happened: '',
      next: 'Maak het bedrag bij uw bank over met deze gegevens. Meestal komt het de volgende werkdag aan.',
    },
    unknown: {
      title: 'We controleren uw betaling',
      happened: 'We hebben nog geen duidelijk antwoord van de bank.',
      next: 'Betaal alstublieft niet nog een keer. Deze pagina wordt vanzelf bijgewerkt; u kunt haar ook gerust sluiten.',
    },
    paid: {
      title: 'Betaald',
      happened: 'Dank u wel! Uw betaling is binnen.',
      next: '{merchant} is op de hoogte. U kunt deze pagina sluiten.',
    },
    overpaid: {
      title: 'Betaald, en meer dan nodig',
      happened: 'Dank u wel! We hebben {received} ontvangen; de bestelling kostte {amount}.',
      next: '{merchant} weet van het verschil. Neem contact op met de winkel om het terug te krijgen.',
    },
    underpaid: {
      title: 'Een deel van het bedrag ontbreekt nog',
      happened: 'We hebben {received} van {amount} ontvangen. Dank u wel!',
      next: 'Betaal de resterende {due} om de bestelling af te ronden.',
    },
    paid_late: {
      title: 'Uw geld is aangekomen',
      happened: 'Uw betaling is bij ons binnen, maar deze bestelling is al gesloten.',
      next: '{merchant} is op de hoogte. Betaal niet nog een keer en overleg met de winkel hoe het verder gaat.',
    },
    charged_back: {
      title: 'Uw betaling is teruggehaald',
      happened:
        'Uw bank heeft de betaling voor deze bestelling teruggehaald, helemaal of gedeeltelijk.',
      next: '{merchant} is op de hoogte. Overleg met de winkel hoe u kunt betalen.',
    },
    declined: {
      title: 'De betaling is niet gelukt',
      happened: 'Er is geen geld afgeschreven.',
      next: 'U kunt het opnieuw proberen of vanaf een andere rekening betalen.',
    },
    failed: {
      title: 'De betaling is niet gelukt',
      happened: 'Er is geen geld afgeschreven en een nieuwe poging is niet meer mogelijk.',
      next: 'Plaats een nieuwe bestelling bij {merchant} of vraag daar om hulp.',
    },
    cancelled: {
      title: 'Bestelling geannuleerd',
      happened: 'Deze bestelling is geannuleerd. Er is geen geld afgeschreven.',
      next: 'Wilt u toch kopen? Plaats dan een nieuwe bestelling bij {merchant}.',
    },
    expired: {
      title: 'De tijd om te betalen is voorbij',
      happened: 'Deze bestelling is niet op tijd betaald. Er is geen geld afgeschreven.',
      next: 'Wilt u toch kopen? Plaats dan een nieuwe bestelling bij {merchant}.',
    },
  },
  declines: {
    insufficient_funds: 'Het saldo van de rekening is te laag voor deze betaling.',
    limit_exceeded: 'De betaling is hoger dan de limiet van de rekening.',
    account_blocked: 'De rekening of kaart is geblokkeerd.',
    authentication_failed: 'De betaling kon niet worden bevestigd.',
    cancelled_by_payer: 'De betaling is bij de bank geannuleerd.',
    timeout: 'De bank heeft niet op tijd geantwoord.',
    declined: 'De bank heeft de betaling geweigerd.',
  },
  pages: {
    not_found: {
      title: 'Pagina niet gevonden',
      text: 'Op dit adres is geen betaalpagina. Controleer de link of open deze opnieuw vanuit de winkel.',
    },
    unavailable: {
      title: 'Probeer het zo meteen opnieuw',
      text: 'De betaalpagina kan nu niet worden getoond. Heeft u al betaald? Betaal dan niet nog een keer.',
    },
    too_many_requests: {
      title: 'Een moment, alstublieft',
      text: 'Er kwamen te veel verzoeken van uw verbinding. Wacht een minuut en laad de pagina opnieuw.',
    },
  },
};

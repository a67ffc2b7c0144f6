//! A picture of how the loss fell.

use plotters::prelude::*;

use crate::{Epoch, Failure};

/// The losses by epoch, as SVG.
pub fn draw(epochs: &[Epoch]) -> Result<String, Failure> {
    let losses = || epochs.iter().flat_map(|epoch| [epoch.training, epoch.validation]);
    let (least, most) = losses()
        .fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), loss| (least.min(loss), most.max(loss)));
    let margin = 0.05 * (most - least).max(1e-6);
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, (720, 420)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(72)
            .build_cartesian_2d(1..epochs.len().max(2), least - margin..most + margin)?;
        chart.configure_mesh().x_desc("epoch").y_desc("loss").draw()?;
        let line = |loss: fn(&Epoch) -> f64| {
            epochs.iter().enumerate().map(move |(index, epoch)| (index + 1, loss(epoch)))
        };
        chart
            .draw_series(LineSeries::new(line(|epoch| epoch.training), &BLUE))?
            .label("training")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], BLUE));
        chart
            .draw_series(LineSeries::new(line(|epoch| epoch.validation), &RED))?
            .label("validation")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], RED));
        chart.configure_series_labels().border_style(BLACK).draw()?;
        area.present()?;
    }
    Ok(picture)
}
